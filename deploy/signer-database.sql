-- The signer's store is a database of its own: it is never restored together with the other one.
CREATE DATABASE fernpartie_signer;

"""Mails: composed from rows of the outbox, put on the wire, kept in mailboxes for reading."""

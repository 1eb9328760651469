-- Two roles on PostgreSQL: `fernpartie_owner` has the tables and runs `fernpartie init` at each upgrade;
-- `fernpartie` runs pages and worker, and can neither change nor delete a record or a signed head,
-- even if it were made to. Run this in each of the two databases, as a superuser or its owner, after
-- `fernpartie init` was run there as the owner. It may be run again, and has to be after an upgrade
-- that brings tables. Passwords are yours to give: ALTER ROLE fernpartie PASSWORD '…'.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'fernpartie') THEN
    CREATE ROLE fernpartie LOGIN;
  END IF;
END $$;

GRANT USAGE ON SCHEMA public TO fernpartie;
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO fernpartie;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO fernpartie;

DO $$ DECLARE kept text; BEGIN
  FOR kept IN SELECT tablename FROM pg_tables
    WHERE schemaname = 'public' AND tablename IN ('record', 'head', 'alembic_version')
  LOOP
    EXECUTE format('REVOKE UPDATE, DELETE, TRUNCATE ON %I FROM fernpartie', kept);
  END LOOP;
END $$;

-- Defines settle_position(), the order in which generations become visible. A transaction's id is fixed before it
-- commits, so every generation below the oldest running transaction is complete: a reader that has come that far has
-- missed nothing and never will, however old the ids of late settles are. The offset keeps positions rising when the
-- database moves to a cluster whose transaction ids start at another number (rebase_positions). It is a constant in the
-- definition because every stored generation evaluates it. A change of this text reaches settle_position() only with
-- the next call, so it needs a migration that makes one.
CREATE OR REPLACE FUNCTION set_position_offset(position_offset bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE FUNCTION settle_position() RETURNS bigint LANGUAGE sql VOLATILE AS %L',
    format('SELECT pg_current_xact_id()::text::bigint + %s', position_offset));
END $$;

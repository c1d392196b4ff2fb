-- A database that was restored into another cluster finds transactions counted from another number. Marks made there with the
-- old offset could be smaller than what is folded already, and their generations would never be summed up.

-- So the database itself refuses them, whoever settles and whatever was started before `weir migrate`: settles then wait in
-- the spools. Where marks are right nothing is ever refused, because what is folded ends below the oldest transaction that
-- still runs. Restoring a dump is not refused either: it fills the partitions, and makes triggers last. The row is found by its
-- key, because settles switch sequential scans off, and a plan with one would then be compiled each time, which takes a tenth of a second.
CREATE FUNCTION refuse_folded_marks() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF settle_mark() < (SELECT s.folded_below FROM rollup_state s WHERE s.only_row) THEN
    RAISE EXCEPTION 'the database was moved to another cluster: run `weir migrate`' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER generations_marks BEFORE INSERT ON generations FOR EACH STATEMENT EXECUTE FUNCTION refuse_folded_marks();

-- Chooses the offset anew where the database is in another cluster, or transactions are counted from a smaller number than
-- before: every mark from now on is above all that are stored. True if that was so; run by migrate.
CREATE FUNCTION rebase_marks() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  here text := (SELECT c.system_identifier::text FROM pg_control_system() c);
  state rollup_state;
  oldest bigint;
  stored bigint;
BEGIN
  -- Looked at before locking, because nearly always there is nothing to do.
  IF NOT EXISTS (SELECT 1 FROM rollup_state s WHERE s.cluster <> here
                 OR pg_snapshot_xmin(pg_current_snapshot())::text::bigint + s.mark_offset < s.folded_below) THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('weir.fold'));
  LOCK TABLE generations IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO STRICT state FROM rollup_state FOR UPDATE;
  -- A transaction that waits for the table has its number already, so what counts is the oldest that runs.
  oldest := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  IF state.cluster = here AND oldest + state.mark_offset >= state.folded_below THEN
    RETURN false; -- somebody else was faster
  END IF;
  SELECT greatest(max(g.settled_mark), state.folded_below) INTO stored FROM generations g;
  -- A cluster that counts from a higher number, as after pg_upgrade, needs no other offset.
  state.mark_offset := greatest(state.mark_offset, stored + 1 - oldest);
  EXECUTE format('CREATE OR REPLACE FUNCTION settle_mark() RETURNS bigint LANGUAGE sql VOLATILE AS %L',
    format('SELECT pg_current_xact_id()::text::bigint + %s', state.mark_offset));
  UPDATE rollup_state SET mark_offset = state.mark_offset, cluster = here;
  RETURN true;
END $$;

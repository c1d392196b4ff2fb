-- Chooses a new position offset if the database runs in another cluster, or if its transaction ids start lower than
-- before, so that every later position is above all stored ones. Returns whether it did. `weir migrate` calls it.
CREATE OR REPLACE FUNCTION rebase_positions() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  here text := (SELECT c.system_identifier::text FROM pg_control_system() c);
  state rollup_state;
  oldest bigint;
  stored bigint;
BEGIN
  -- This check runs before the lock, because there is nearly always nothing to do.
  IF NOT EXISTS (SELECT 1 FROM rollup_state s WHERE s.cluster <> here
                 OR pg_snapshot_xmin(pg_current_snapshot())::text::bigint + s.position_offset < greatest(s.rolled_up_below, s.earned_below)) THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('weir.rollup'));
  LOCK TABLE generations IN SHARE ROW EXCLUSIVE MODE;
  SELECT * INTO STRICT state FROM rollup_state FOR UPDATE;
  -- A transaction that waits for the table already has its id, so the oldest running transaction counts.
  oldest := pg_snapshot_xmin(pg_current_snapshot())::text::bigint;
  IF state.cluster = here AND oldest + state.position_offset >= greatest(state.rolled_up_below, state.earned_below) THEN
    RETURN false; -- another process was faster
  END IF;
  SELECT greatest(max(g.settled_position), state.rolled_up_below, state.earned_below) INTO stored FROM generations g;
  -- A cluster whose transaction ids start higher, as after pg_upgrade, needs no new offset.
  state.position_offset := greatest(state.position_offset, stored + 1 - oldest);
  PERFORM set_position_offset(state.position_offset);
  UPDATE rollup_state SET position_offset = state.position_offset, cluster = here;
  RETURN true;
END $$;

-- Rejects a generation below a rollup watermark, because it would never be summed up. This happens only in a database
-- that was restored into another cluster and has not been migrated there; its settles wait in the spools. With correct
-- positions nothing is rejected, because the watermarks are below the oldest running transaction. Restoring a dump is
-- not rejected either, because pg_dump fills the partitions directly and creates triggers last. The row is found by its
-- key: settles disable sequential scans, and JIT would compile a plan with one each time, which takes a tenth of a
-- second.
CREATE OR REPLACE FUNCTION refuse_rolled_up_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF settle_position() < (SELECT greatest(s.rolled_up_below, s.earned_below) FROM rollup_state s WHERE s.only_row) THEN
    RAISE EXCEPTION 'the database was moved to another cluster: run `weir migrate`' USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN NULL;
END $$;

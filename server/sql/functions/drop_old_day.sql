-- Drops the oldest partition of generations if its day ended more than `keep_days` ago. Returns the partition and
-- whether it was dropped; returns no row if no day is that old or another process is dropping one. Days are dropped in
-- order, so a day that a reader has not consumed also keeps the days after it. Dropping needs an exclusive lock, and
-- every settle queues behind a waiting one, so it gives up after 500 ms; the worker tries again an hour later.
CREATE OR REPLACE FUNCTION drop_old_day(keep_days integer) RETURNS TABLE (partition text, is_dropped boolean) LANGUAGE plpgsql
  SET lock_timeout = '500ms' AS $$
DECLARE
  day date;
  newest bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('weir.retention')) THEN
    RETURN;
  END IF;
  partition := oldest_partition('generations');
  day := to_date(right(partition, 8), 'YYYYMMDD');
  IF day IS NULL OR day >= (now() AT TIME ZONE 'UTC')::date - keep_days THEN
    RETURN;
  END IF;
  is_dropped := false;
  -- The check runs before the lock, so that no process waits for nothing, and again after it, because a late settle may
  -- have come in between.
  EXECUTE format('SELECT max(settled_position) FROM %I', partition) INTO newest;
  IF newest >= read_below() THEN
    RETURN NEXT;
    RETURN;
  END IF;
  LOCK TABLE ONLY generations IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT max(settled_position) FROM %I', partition) INTO newest;
  IF newest IS NULL OR newest < read_below() THEN
    EXECUTE format('DROP TABLE %I', partition);
    UPDATE rollup_state SET retained_from = greatest(retained_from, day + 1);
    is_dropped := true;
  END IF;
  RETURN NEXT;
END $$;

-- Drops the oldest partition of refusals if its day ended more than `keep_days` ago, with the counts of its time.
-- Returns and gives up as `drop_old_day` does, but nothing ever holds a day of refusals back.
CREATE OR REPLACE FUNCTION drop_old_refusals(keep_days integer) RETURNS TABLE (partition text, is_dropped boolean) LANGUAGE plpgsql
  SET lock_timeout = '500ms' AS $$
DECLARE
  day date;
  kept_from date := (now() AT TIME ZONE 'UTC')::date - keep_days;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('weir.retention')) THEN
    RETURN;
  END IF;
  DELETE FROM refusal_counts WHERE hour < kept_from::timestamp AT TIME ZONE 'UTC';
  -- Rows of days without a partition. There are none unless a partition could not be created in time.
  DELETE FROM refusals_default WHERE id < first_id_at(kept_from::timestamp AT TIME ZONE 'UTC');
  -- A gateway sends a batch again within seconds, or as soon as Postgres is back.
  DELETE FROM refusal_writers WHERE written_at < now() - interval '30 days';
  partition := oldest_partition('refusals');
  day := to_date(right(partition, 8), 'YYYYMMDD');
  IF day IS NULL OR day >= kept_from THEN
    RETURN;
  END IF;
  LOCK TABLE ONLY refusals IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE %I', partition);
  is_dropped := true;
  RETURN NEXT;
END $$;

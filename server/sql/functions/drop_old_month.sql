-- Drops the oldest partition of hourly sums if its month ended more than `keep_months` ago. Returns and gives up as
-- `drop_old_day` does.
CREATE OR REPLACE FUNCTION drop_old_month(keep_months integer) RETURNS TABLE (partition text, is_dropped boolean) LANGUAGE plpgsql
  SET lock_timeout = '500ms' AS $$
DECLARE
  month date;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtext('weir.retention')) THEN
    RETURN;
  END IF;
  partition := oldest_partition('usage_hours');
  month := to_date(right(partition, 6), 'YYYYMM');
  IF month IS NULL
    OR month >= date_trunc('month', (now() AT TIME ZONE 'UTC') - make_interval(months => keep_months)) THEN
    RETURN;
  END IF;
  LOCK TABLE ONLY usage_hours IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('DROP TABLE %I', partition);
  is_dropped := true;
  RETURN NEXT;
END $$;

-- Creates the partitions of the coming days and months. `weir migrate` calls it, and the worker calls it daily. It
-- needs an exclusive lock, and every settle queues behind a waiting one, so it gives up after 500 ms; the worker tries
-- again an hour later. If rows of a range are already in the default partition, they stay there, and the later ranges
-- are still created.
CREATE OR REPLACE FUNCTION ensure_partitions(from_day date, day_count integer) RETURNS integer LANGUAGE plpgsql
  SET lock_timeout = '500ms' AS $$
DECLARE
  day date;
  month date;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('weir.ensure_partitions'));
  FOR day IN SELECT from_day + n FROM generate_series(0, day_count - 1) AS n LOOP
    month := date_trunc('month', day)::date;
    made := made
      + make_partition('generations', 'id', to_char(day, 'YYYYMMDD'),
          first_id_at(day::timestamp AT TIME ZONE 'UTC')::text, first_id_at((day + 1)::timestamp AT TIME ZONE 'UTC')::text)
      + make_partition('refusals', 'id', to_char(day, 'YYYYMMDD'),
          first_id_at(day::timestamp AT TIME ZONE 'UTC')::text, first_id_at((day + 1)::timestamp AT TIME ZONE 'UTC')::text)
      + make_partition('ledger_transfers', 'id', to_char(month, 'YYYYMM'),
          first_id_at(month::timestamp AT TIME ZONE 'UTC')::text,
          first_id_at((month + interval '1 month')::timestamp AT TIME ZONE 'UTC')::text)
      + make_partition('usage_hours', 'hour', to_char(month, 'YYYYMM'),
          month::timestamp::text, (month + interval '1 month')::timestamp::text);
  END LOOP;
  RETURN made;
END $$;

-- Makes the partitions of the coming days and months; called by `weir migrate` and daily by the worker. It needs the
-- tables for itself, and every settle queues behind a waiting lock, so it gives up after 500 ms and is tried again an
-- hour later. A range whose rows already are in the default partition is left there, and the ranges after it are still
-- made.
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
      + make_partition('ledger_transfers', 'id', to_char(month, 'YYYYMM'),
          first_id_at(month::timestamp AT TIME ZONE 'UTC')::text,
          first_id_at((month + interval '1 month')::timestamp AT TIME ZONE 'UTC')::text)
      + make_partition('usage_hours', 'hour', to_char(month, 'YYYYMM'),
          month::timestamp::text, (month + interval '1 month')::timestamp::text);
  END LOOP;
  RETURN made;
END $$;

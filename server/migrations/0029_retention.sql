-- Old requests and hourly sums are dropped by the partition; days and months of sums stay.

-- Making and dropping partitions needs the table for itself. Whoever waits for that stands in front of every settle that comes
-- after it, so each gives up soon and tries again an hour later.

-- As before, with a partition of usage_hours for each month, and no longer stopped by a day or month whose rows are in the
-- default partition already, because nobody made its own in time: that one stays there, and those after it are made.
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

-- 1 if it was made, 0 if it is there or its rows are in the default partition.
CREATE FUNCTION make_partition(parent text, key text, suffix text, range_start text, range_end text) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || '_' || suffix;
  is_late boolean;
BEGIN
  IF to_regclass(name) IS NOT NULL THEN
    RETURN 0;
  END IF;
  EXECUTE format('SELECT EXISTS (SELECT 1 FROM %I WHERE %I >= %L AND %2$I < %4$L)', parent || '_default', key, range_start, range_end)
    INTO is_late;
  IF is_late THEN
    RETURN 0;
  END IF;
  EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)', name, parent, range_start, range_end);
  RETURN 1;
EXCEPTION WHEN check_violation THEN
  RETURN 0; -- the first row of it came in between
END $$;

SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date - 1, 9);

-- The oldest partition of a table by its name, which ends in the date.
CREATE FUNCTION oldest_partition(parent regclass) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent AND c.relname ~ '_[0-9]+$' ORDER BY c.relname LIMIT 1
$$;

-- Everybody who reads generations in the order of their marks has read those below this.
CREATE FUNCTION read_below() RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN least((SELECT s.folded_below FROM rollup_state s), (SELECT min(e.sent_below) FROM event_sinks e));
END $$;

-- Drops the oldest day of generations if it ended more than so many days ago. Answers its partition, and whether it was
-- dropped; nothing, if no day is that old or somebody else is at it. Days go one after another, so one that somebody has not
-- read yet holds those after it back as well.
CREATE FUNCTION drop_old_day(keep_days integer) RETURNS TABLE (partition text, is_dropped boolean) LANGUAGE plpgsql
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
  -- Looked at before locking, for nothing should wait in vain; and then again, for a late settle may have been faster.
  EXECUTE format('SELECT max(settled_mark) FROM %I', partition) INTO newest;
  IF newest >= read_below() THEN
    RETURN NEXT;
    RETURN;
  END IF;
  LOCK TABLE ONLY generations IN ACCESS EXCLUSIVE MODE;
  EXECUTE format('SELECT max(settled_mark) FROM %I', partition) INTO newest;
  IF newest IS NULL OR newest < read_below() THEN
    EXECUTE format('DROP TABLE %I', partition);
    UPDATE rollup_state SET retained_from = greatest(retained_from, day + 1);
    is_dropped := true;
  END IF;
  RETURN NEXT;
END $$;

-- Drops the oldest month of hourly sums if it ended more than so many months ago, and answers as above.
CREATE FUNCTION drop_old_month(keep_months integer) RETURNS TABLE (partition text, is_dropped boolean) LANGUAGE plpgsql
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

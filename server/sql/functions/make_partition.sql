-- Creates one partition. Returns 1 if it was created, 0 if it exists or its rows are in the default partition.
CREATE OR REPLACE FUNCTION make_partition(parent text, key text, suffix text, range_start text, range_end text) RETURNS integer LANGUAGE plpgsql AS $$
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

-- The oldest partition of a table by its name, which ends in the date.
CREATE OR REPLACE FUNCTION oldest_partition(parent regclass) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent AND c.relname ~ '_[0-9]+$' ORDER BY c.relname LIMIT 1
$$;

-- The smallest UUID version 7 of a timestamp: 48 bits of Unix milliseconds, then zeros.
CREATE OR REPLACE FUNCTION first_id_at(moment timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;

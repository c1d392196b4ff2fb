-- Counts one guess of a sign-in code as wrong before it is judged, so that parallel guesses cannot exceed the limits.
-- The id takes a correct guess back. Every call locks the client before the key, so two calls cannot deadlock. The id
-- is null if a limit is reached; `wait_s` is then the number of whole seconds until the next guess may pass.
CREATE OR REPLACE FUNCTION admit_code_attempt(
  asking bytea, asked_key bytea, client_max integer, client_window interval, key_max integer, key_window interval)
RETURNS TABLE (attempt_id bigint, wait_s integer) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  free_at timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(1103, hashtext(encode(asking, 'hex')));
  PERFORM pg_advisory_xact_lock(1104, hashtext(encode(asked_key, 'hex')));
  moment := clock_timestamp();
  -- The time at which the oldest counted guess leaves its window, or null if the window has room.
  SELECT greatest(
    (SELECT w.at + client_window FROM institution_wrong_codes w
      WHERE w.client = asking AND w.at > moment - client_window ORDER BY w.at DESC OFFSET client_max - 1 LIMIT 1),
    (SELECT w.at + key_window FROM institution_wrong_codes w
      WHERE w.key_hash = asked_key AND w.at > moment - key_window ORDER BY w.at DESC OFFSET key_max - 1 LIMIT 1))
    INTO free_at;
  IF free_at IS NULL THEN
    INSERT INTO institution_wrong_codes (at, client, key_hash) VALUES (moment, asking, asked_key) RETURNING id INTO attempt_id;
  END IF;
  wait_s := ceil(extract(epoch FROM coalesce(free_at, moment) - moment))::integer;
  RETURN NEXT;
END $$;

-- Checks one request for a sign-in code against sliding windows and counts it, exactly. Every call locks the client
-- before the key, so two calls cannot deadlock; the key's lock also covers its subjects. `wait_s` is the number of
-- whole seconds until the same request may pass. A key may have limits of its own; `client_max` and `key_max` are
-- those of all others. A client's requests for a key with its own limits count for this key alone, so that a campus
-- behind one address blocks no other institution there. An address gets at most six codes in an hour, whatever the key
-- allows.
CREATE OR REPLACE FUNCTION admit_code_request(
  asking bytea, asked_key bytea, asked_subject bytea,
  client_max integer, client_window interval, key_max integer, key_window interval, cooldown interval)
RETURNS TABLE (verdict text, wait_s integer) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  free_at timestamptz;
  -- The limits of the key.
  own record;
BEGIN
  PERFORM pg_advisory_xact_lock(1101, hashtext(encode(asking, 'hex')));
  PERFORM pg_advisory_xact_lock(1102, hashtext(encode(asked_key, 'hex')));
  moment := clock_timestamp();
  SELECT count(*) > 0 AS is_set,
    coalesce(max(l.codes_per_network), client_max) AS client_max, coalesce(max(l.codes_per_hour), key_max) AS key_max
    INTO own FROM institution_code_limits l WHERE l.key_hash = asked_key;
  -- The time at which the oldest counted request leaves its window, or null if the window has room.
  SELECT greatest(
    (SELECT r.at + client_window FROM institution_code_requests r
      WHERE r.client = asking AND r.at > moment - client_window
        AND CASE WHEN own.is_set THEN r.key_hash = asked_key
          ELSE NOT EXISTS (SELECT FROM institution_code_limits l WHERE l.key_hash = r.key_hash) END
      ORDER BY r.at DESC OFFSET own.client_max - 1 LIMIT 1),
    (SELECT r.at + key_window FROM institution_code_requests r
      WHERE r.key_hash = asked_key AND r.at > moment - key_window ORDER BY r.at DESC OFFSET own.key_max - 1 LIMIT 1))
    INTO free_at;
  IF free_at IS NOT NULL THEN
    verdict := 'rate_limited';
  ELSE
    SELECT greatest(
      (SELECT max(r.at) + cooldown FROM institution_code_requests r
        WHERE r.subject = asked_subject AND r.at > moment - cooldown),
      (SELECT r.at + interval '1 hour' FROM institution_code_requests r
        WHERE r.subject = asked_subject AND r.at > moment - interval '1 hour' ORDER BY r.at DESC OFFSET 5 LIMIT 1))
      INTO free_at;
    verdict := CASE WHEN free_at IS NULL THEN 'admitted' ELSE 'cooldown' END;
    INSERT INTO institution_code_requests (at, client, key_hash, subject)
      VALUES (moment, asking, asked_key, CASE WHEN free_at IS NULL THEN asked_subject END);
  END IF;
  wait_s := ceil(extract(epoch FROM coalesce(free_at, moment) - moment))::integer;
  RETURN NEXT;
END $$;

-- Institution keys let people with a mail address of an allowed domain in: a code goes to the address, and the code is
-- exchanged for a session that calls models at the organization's expense. The key itself opens nothing.

CREATE TABLE institution_keys (
  key_id                    uuid PRIMARY KEY REFERENCES api_keys (id) ON DELETE CASCADE,
  allowed_domains           text[] NOT NULL, -- lower case, punycode; an address's domain must equal one of them
  session_ttl_s             integer NOT NULL DEFAULT 86400 CHECK (session_ttl_s > 0),
  verification_ttl_s        integer NOT NULL DEFAULT 900 CHECK (verification_ttl_s > 0),
  max_sessions_per_email    integer NOT NULL DEFAULT 5 CHECK (max_sessions_per_email > 0),
  -- Null: no such quota.
  session_request_quota     bigint CHECK (session_request_quota > 0),
  session_token_quota       bigint CHECK (session_token_quota > 0),
  session_spend_quota_nano  bigint CHECK (session_spend_quota_nano > 0)
);

-- One row for each key and address that a code was asked for, whether or not one was sent: a row without a key is a decoy
-- that no code opens, so that guessing tells nobody which keys and domains there are. Neither address nor code is here in
-- clear: the subject is an HMAC over the key and the address, the code one over both and the code.
CREATE TABLE institution_codes (
  subject     bytea PRIMARY KEY,
  key_id      uuid REFERENCES api_keys (id) ON DELETE CASCADE,
  code_hmac   bytea NOT NULL,
  attempts    smallint NOT NULL DEFAULT 0,
  created_at  timestamptz NOT NULL DEFAULT now(),
  expires_at  timestamptz NOT NULL
);
CREATE INDEX institution_codes_created ON institution_codes (created_at);

CREATE TABLE institution_sessions (
  id                uuid PRIMARY KEY,
  key_id            uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  email             text NOT NULL, -- lower case
  token_hash        bytea NOT NULL UNIQUE, -- SHA-256 of the whole token
  created_at        timestamptz NOT NULL DEFAULT now(),
  expires_at        timestamptz NOT NULL,
  revoked_at        timestamptz,
  -- As the key had them when the session began.
  request_quota     bigint,
  token_quota       bigint,
  spend_quota_nano  bigint,
  requests_used     bigint NOT NULL DEFAULT 0,
  tokens_used       bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 70);
CREATE INDEX institution_sessions_person ON institution_sessions (key_id, email, created_at);
CREATE INDEX institution_sessions_expiry ON institution_sessions (expires_at);

-- What the pace of code requests is judged by, for an hour. Who asks, with which key and for which address are digests of
-- what was submitted, so that keys and domains that do not exist are counted like those that do.
CREATE TABLE institution_code_requests (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        timestamptz NOT NULL,
  client    bytea NOT NULL,
  key_hash  bytea NOT NULL,
  subject   bytea -- null where the address had to wait: only a request that went through starts its time anew
);
CREATE INDEX institution_code_requests_client ON institution_code_requests (client, at);
CREATE INDEX institution_code_requests_key ON institution_code_requests (key_hash, at);
CREATE INDEX institution_code_requests_subject ON institution_code_requests (subject, at) WHERE subject IS NOT NULL;
CREATE INDEX institution_code_requests_at ON institution_code_requests (at);

-- Judges one code request and counts it, exactly, over sliding windows. Everybody locks the client before the key, so nobody
-- waits in a circle; the key's lock also covers its subjects. Waits are whole seconds until the same request may pass.
CREATE FUNCTION admit_code_request(
  asking bytea, asked_key bytea, asked_subject bytea,
  client_max integer, client_window interval, key_max integer, key_window interval, cooldown interval)
RETURNS TABLE (verdict text, wait_s integer) LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz;
  free_at timestamptz;
BEGIN
  PERFORM pg_advisory_xact_lock(1101, hashtext(encode(asking, 'hex')));
  PERFORM pg_advisory_xact_lock(1102, hashtext(encode(asked_key, 'hex')));
  moment := clock_timestamp();
  -- The one that must leave its window before there is room again; nothing while there is.
  SELECT greatest(
    (SELECT r.at + client_window FROM institution_code_requests r
      WHERE r.client = asking AND r.at > moment - client_window ORDER BY r.at DESC OFFSET client_max - 1 LIMIT 1),
    (SELECT r.at + key_window FROM institution_code_requests r
      WHERE r.key_hash = asked_key AND r.at > moment - key_window ORDER BY r.at DESC OFFSET key_max - 1 LIMIT 1))
    INTO free_at;
  IF free_at IS NOT NULL THEN
    verdict := 'rate_limited';
  ELSE
    SELECT max(r.at) + cooldown INTO free_at FROM institution_code_requests r
      WHERE r.subject = asked_subject AND r.at > moment - cooldown;
    verdict := CASE WHEN free_at IS NULL THEN 'admitted' ELSE 'cooldown' END;
    INSERT INTO institution_code_requests (at, client, key_hash, subject)
      VALUES (moment, asking, asked_key, CASE WHEN free_at IS NULL THEN asked_subject END);
  END IF;
  wait_s := ceil(extract(epoch FROM coalesce(free_at, moment) - moment))::integer;
  RETURN NEXT;
END $$;

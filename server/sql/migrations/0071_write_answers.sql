-- Answers to account requests that change something and were sent with an idempotency key.
CREATE TABLE write_answers (
  -- Hash of who sent the key, and of the key.
  scope bytea PRIMARY KEY,
  -- Hash of the request. The same key with another one is rejected.
  fingerprint bytea NOT NULL,
  -- The person whose session or key it is. Null for other keys of an organization.
  user_id uuid,
  -- Null while the request runs.
  status smallint,
  -- Headers and body, encrypted: they may contain a new key. Null while it runs, and for an answer that is too long.
  sealed jsonb,
  -- The gateway that runs it counts as dead after this, by Postgres' clock.
  lease_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CHECK (sealed IS NULL OR status IS NOT NULL)
);

CREATE INDEX write_answers_expiry ON write_answers (expires_at);
CREATE INDEX write_answers_user ON write_answers (user_id);

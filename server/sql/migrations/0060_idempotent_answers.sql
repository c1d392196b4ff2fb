-- Requests that were sent with an idempotency key, and how far their answers are stored. The bytes are sealed blobs;
-- without `sealed_key` they are unreadable, so deleting a row erases its answer.
CREATE TABLE idempotent_answers (
  -- The generation whose answer it is. A gateway that takes over a request from a dead one replaces it.
  id uuid PRIMARY KEY,
  -- Hash of the API key, the institution session and the idempotency key.
  scope bytea NOT NULL UNIQUE,
  -- Hash of the request. The same key with another one is rejected.
  fingerprint bytea NOT NULL,
  wallet_id uuid NOT NULL,
  -- The person whose key it is. Null for other keys of an organization.
  user_id uuid,
  -- running: a gateway is writing it. written: complete, but perhaps not settled. settled: complete and settled.
  state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'written', 'settled')),
  -- False for an answer that could not be stored, because it was too long or the blob store was unavailable.
  is_kept boolean NOT NULL DEFAULT true,
  chunks integer NOT NULL DEFAULT 0,
  sealed_key jsonb NOT NULL,
  -- The gateway that writes it counts as dead after this, by Postgres' clock.
  lease_until timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX idempotent_answers_expiry ON idempotent_answers (expires_at);
CREATE INDEX idempotent_answers_wallet ON idempotent_answers (wallet_id);

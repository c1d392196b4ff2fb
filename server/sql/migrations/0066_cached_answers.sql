-- Upstream answers that a wallet keeps for equal requests. The bytes are sealed blobs; without `sealed_key` they are
-- unreadable, so deleting a row erases its answer.
CREATE TABLE cached_answers (
  wallet_id uuid NOT NULL,
  -- Hash of the request: everything that can change its answer.
  digest bytea NOT NULL,
  -- The generation whose answer it is.
  id uuid NOT NULL UNIQUE,
  -- The person whose key asked for it. Null for other keys of an organization.
  user_id uuid,
  -- filling: a gateway is asking the upstream. complete: it can be replayed. unfit: the answer may not be kept.
  state text NOT NULL DEFAULT 'filling' CHECK (state IN ('filling', 'complete', 'unfit')),
  -- What the answer counts for the limit of its wallet.
  bytes bigint NOT NULL DEFAULT 0,
  sealed_key jsonb NOT NULL,
  -- The gateway that fills it counts as dead after this, by Postgres' clock.
  lease_until timestamptz NOT NULL,
  filled_at timestamptz,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (wallet_id, digest)
);

CREATE INDEX cached_answers_expiry ON cached_answers (expires_at);
CREATE INDEX cached_answers_newest ON cached_answers (wallet_id, filled_at) INCLUDE (bytes);
CREATE INDEX cached_answers_user ON cached_answers (user_id) WHERE user_id IS NOT NULL;

-- The generation whose kept answer a request got, and what it cost in percent of the price. Null for other requests.
ALTER TABLE generations ADD COLUMN cached_from uuid;
ALTER TABLE generations ADD COLUMN cached_percent smallint;

-- How long answers to a key's requests are kept. For a key, null means as its organization says, and 0 not at all.
ALTER TABLE api_keys ADD COLUMN cache_ttl_seconds integer CHECK (cache_ttl_seconds >= 0);
ALTER TABLE organizations ADD COLUMN cache_ttl_seconds integer CHECK (cache_ttl_seconds > 0);

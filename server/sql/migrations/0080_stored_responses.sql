-- Responses that clients asked to store. Input and response are sealed blobs; without `sealed_key` they are unreadable,
-- so deleting a row erases its content.
CREATE TABLE stored_responses (
  -- The generation that made the response.
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL,
  -- The person whose keys may read it. Null for an organization's own keys.
  person_id uuid,
  -- running: a gateway works on it in the background. ended: the response is complete, or has failed. cancelled: by
  -- the client.
  state text NOT NULL CHECK (state IN ('running', 'ended', 'cancelled')),
  -- What the response counts for the limit of its wallet.
  bytes bigint NOT NULL,
  sealed_key jsonb NOT NULL,
  -- While it runs: after this, by Postgres' clock, its gateway counts as dead, and the response as failed for good.
  lease_until timestamptz CHECK ((lease_until IS NULL) = (state <> 'running')),
  expires_at timestamptz NOT NULL
);

CREATE INDEX stored_responses_expiry ON stored_responses (expires_at);
CREATE INDEX stored_responses_wallet ON stored_responses (wallet_id, id) INCLUDE (bytes);
CREATE INDEX stored_responses_person ON stored_responses (person_id) WHERE person_id IS NOT NULL;

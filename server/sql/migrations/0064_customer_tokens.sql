-- Short-lived credentials of one customer, for browsers and phones.
CREATE TABLE customer_tokens (
  id uuid PRIMARY KEY,
  customer_id uuid NOT NULL REFERENCES end_customers (id) ON DELETE CASCADE,
  -- The key whose limits, models and networks apply to requests with the token.
  key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE, -- SHA-256 of the whole token
  limit_nano bigint CHECK (limit_nano >= 0),
  allowed_models text[],
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX customer_tokens_newest ON customer_tokens (customer_id, created_at, id);
CREATE INDEX customer_tokens_expiry ON customer_tokens (expires_at);

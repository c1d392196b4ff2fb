-- Requests that were refused before a hold was placed. Gateways write them in batches, apart from all money: a refusal
-- has no ledger entry, and neither sums nor audits read these tables. The id is also the request's, and its time.
CREATE TABLE refusals (
  id uuid NOT NULL PRIMARY KEY,
  wallet_id uuid NOT NULL,
  key_id uuid NOT NULL,
  user_id uuid,
  organization_id uuid,
  member_id uuid,
  team_id uuid,
  endpoint text NOT NULL,
  -- The name of the error, as in docs/errors.md.
  error text NOT NULL,
  status smallint NOT NULL,
  -- The limit that bound the request, if it was one among several.
  bound_by text,
  -- The model that was asked for, if the text has the shape of a model id.
  model text
) PARTITION BY RANGE (id);
CREATE TABLE refusals_default PARTITION OF refusals DEFAULT;
CREATE INDEX refusals_wallet ON refusals (wallet_id, id);
CREATE INDEX refusals_user ON refusals (user_id, id);

-- Every refusal, also those beyond the rate at which rows are kept. A key of zeros stands for all keys beyond those
-- that a gateway counts one by one.
CREATE TABLE refusal_counts (
  wallet_id uuid NOT NULL,
  hour timestamptz NOT NULL,
  key_id uuid NOT NULL,
  error text NOT NULL,
  count bigint NOT NULL CHECK (count > 0),
  PRIMARY KEY (wallet_id, hour, key_id, error)
) WITH (fillfactor = 70);
CREATE INDEX refusal_counts_hour ON refusal_counts (hour);

-- The last batch of each gateway process, so that a batch that is sent again after a lost answer counts once.
CREATE TABLE refusal_writers (
  id uuid PRIMARY KEY,
  batch bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 70);

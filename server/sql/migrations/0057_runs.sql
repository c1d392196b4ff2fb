-- Runs of agents, as the requests of a wallet name them. All requests of a run and of its child runs share its budget.
CREATE TABLE runs (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL REFERENCES wallets (id),
  -- The client's own id of the run.
  external_id text COLLATE "C" NOT NULL,
  parent_id uuid REFERENCES runs (id),
  -- The run itself, its parent, and so on up to the first run.
  path uuid[] NOT NULL CHECK (cardinality(path) BETWEEN 1 AND 8),
  -- The key that created the run. Null if a person did.
  key_id uuid,
  budget_nano bigint CHECK (budget_nano >= 0),
  -- A request beyond one of these stops the run.
  calls_per_minute_max integer CHECK (calls_per_minute_max > 0),
  repeats_max integer CHECK (repeats_max > 0),
  stopped_at timestamptz,
  stop_reason text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (wallet_id, external_id)
);
CREATE INDEX runs_newest ON runs (wallet_id, created_at, id);
CREATE INDEX runs_roots ON runs (wallet_id, created_at, id) WHERE parent_id IS NULL;
CREATE INDEX runs_of_parent ON runs (parent_id, created_at, id) WHERE parent_id IS NOT NULL;

-- How many runs a wallet has, so that its maximum is judged without counting them. `create_run` keeps it.
CREATE TABLE run_counts (
  wallet_id uuid PRIMARY KEY REFERENCES wallets (id),
  runs bigint NOT NULL DEFAULT 0
);

-- What each run spent by model, its child runs included. Its daily sums in `spend_days` have the kind `run`.
CREATE TABLE run_models (
  run_id uuid NOT NULL REFERENCES runs (id),
  model text NOT NULL,
  spent_nano bigint NOT NULL,
  requests bigint NOT NULL,
  prompt_tokens bigint NOT NULL,
  completion_tokens bigint NOT NULL,
  PRIMARY KEY (run_id, model)
);

ALTER TABLE generations ADD COLUMN run_id uuid;

ALTER TABLE spend_days DROP CONSTRAINT spend_days_kind_check;
ALTER TABLE spend_days ADD CONSTRAINT spend_days_kind_check
  CHECK (kind IN ('member', 'team', 'organization', 'customer', 'run')) NOT VALID;

-- What one generation adds to the sums of an organization, its teams and members, an end customer, and a run. It
-- replaces `spend_share`, which the release before still needs.
CREATE TYPE settled_share AS (
  organization_id uuid,
  member_id uuid,
  team_id uuid,
  session_id uuid,
  started_at timestamptz,
  cost_nano bigint,
  prompt_tokens bigint,
  completion_tokens bigint,
  end_customer_id uuid,
  run_id uuid,
  model text
);

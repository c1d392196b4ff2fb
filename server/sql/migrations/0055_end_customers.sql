-- Customers of a wallet's owner, as the owner's requests name them.
CREATE TABLE end_customers (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL REFERENCES wallets (id),
  -- The owner's own id of the customer.
  external_id text COLLATE "C" NOT NULL,
  name text,
  day_limit_nano bigint CHECK (day_limit_nano >= 0),
  month_limit_nano bigint CHECK (month_limit_nano >= 0),
  total_limit_nano bigint CHECK (total_limit_nano >= 0),
  suspended_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (wallet_id, external_id)
);
CREATE INDEX end_customers_newest ON end_customers (wallet_id, created_at, id);

-- How many customers a wallet has, so that its maximum is judged without counting them. `create_end_customer` keeps it.
CREATE TABLE end_customer_counts (
  wallet_id uuid PRIMARY KEY REFERENCES wallets (id),
  customers bigint NOT NULL DEFAULT 0
);

ALTER TABLE generations ADD COLUMN end_customer_id uuid;

-- Daily sums of end customers have the kind `customer`.
ALTER TABLE spend_days DROP CONSTRAINT spend_days_kind_check;
ALTER TABLE spend_days ADD CONSTRAINT spend_days_kind_check
  CHECK (kind IN ('member', 'team', 'organization', 'customer')) NOT VALID;

-- What one generation adds to the daily sums of an organization, its teams and members, and of an end customer. It
-- replaces `organization_share`, which the release before still needs.
CREATE TYPE spend_share AS (
  organization_id uuid,
  member_id uuid,
  team_id uuid,
  session_id uuid,
  started_at timestamptz,
  cost_nano bigint,
  tokens bigint,
  end_customer_id uuid
);

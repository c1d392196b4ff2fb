-- Customers at the payment provider: one per wallet. Only the provider stores the cards.
CREATE TABLE payment_customers (
  wallet_id    uuid NOT NULL REFERENCES wallets (id) ON DELETE CASCADE,
  provider     text NOT NULL,
  is_live      boolean NOT NULL,          -- false: of the provider's test mode
  customer_ref text NOT NULL,             -- what the provider calls it
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (wallet_id, provider, is_live)
);

ALTER TABLE top_ups
  -- The customer whose card is saved with the payment or, with method_ref, whose saved card is charged off-session.
  ADD COLUMN customer_ref text,
  ADD COLUMN method_ref text CHECK (method_ref IS NULL OR customer_ref IS NOT NULL),
  -- The payer has completed the payment, and the money is on its way.
  ADD COLUMN is_pending boolean NOT NULL DEFAULT false;
-- Allows one open automatic top-up per wallet, even if a worker's state is stale.
CREATE UNIQUE INDEX top_ups_attempt ON top_ups (wallet_id) WHERE method_ref IS NOT NULL AND state = 'open';

-- Wallets with automatic top-up. A row is locked before its order is added, and after its order is locked when an
-- attempt ends. The two never wait for each other, because no order is added while one is open.
CREATE TABLE auto_top_ups (
  wallet_id      uuid PRIMARY KEY REFERENCES wallets (id) ON DELETE CASCADE,
  is_on          boolean NOT NULL,
  payer_id       uuid NOT NULL,           -- who has chosen it
  provider       text NOT NULL,
  is_live        boolean NOT NULL,
  customer_ref   text NOT NULL,
  method_ref     text NOT NULL,
  threshold_nano bigint NOT NULL CHECK (threshold_nano >= 0),
  target_nano    bigint NOT NULL CHECK (target_nano > threshold_nano),
  -- The maximum credit bought automatically per UTC day and month.
  day_max_nano   bigint NOT NULL CHECK (day_max_nano > 0),
  month_max_nano bigint NOT NULL CHECK (month_max_nano >= day_max_nano),
  failures       integer NOT NULL DEFAULT 0, -- in a row
  last_failure   text CHECK (last_failure IN ('declined', 'authentication_required')),
  look_at        timestamptz NOT NULL DEFAULT clock_timestamp(), -- no worker looks at the wallet before
  updated_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auto_top_ups_on ON auto_top_ups (look_at) WHERE is_on;
CREATE INDEX auto_top_ups_payer ON auto_top_ups (payer_id);

-- Emails for workers to send, each at least once. The address is looked up and the text is written when an email is
-- sent.
CREATE TABLE mail_deliveries (
  id         uuid PRIMARY KEY,
  user_id    uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  notice     jsonb NOT NULL,              -- what it tells
  attempts   integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  due_at     timestamptz DEFAULT clock_timestamp(), -- null: sent, or given up
  sent_at    timestamptz,
  last_error text
);
CREATE INDEX mail_deliveries_due ON mail_deliveries (due_at) WHERE due_at IS NOT NULL;

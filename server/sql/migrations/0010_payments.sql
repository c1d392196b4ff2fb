-- Kinds and accounts of payments and refunds. Every row satisfies the previous, narrower checks, so the new ones are
-- not validated: reading the whole ledger would block every settle meanwhile.
ALTER TABLE ledger_transfers
  DROP CONSTRAINT ledger_transfers_kind_check,
  DROP CONSTRAINT ledger_transfers_debit_check,
  DROP CONSTRAINT ledger_transfers_credit_check,
  ADD CONSTRAINT ledger_transfers_kind_check CHECK (kind IN ('charge', 'top_up', 'fee', 'tax', 'grant', 'correction',
    'refund', 'dispute', 'dispute_won', 'dispute_lost', 'redemption', 'processor_fee', 'write_off')) NOT VALID,
  ADD CONSTRAINT ledger_transfers_debit_check CHECK (debit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants',
    'disputed', 'losses', 'processor')) NOT VALID,
  ADD CONSTRAINT ledger_transfers_credit_check CHECK (credit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants',
    'disputed', 'losses', 'processor')) NOT VALID;

-- Orders for credit. A row is committed before the provider is called. Its id is also the id of the ledger transaction
-- that credits the wallet, so the ledger's primary key allows one credit per order. The row is locked before the
-- wallet. `_minor` is the smallest unit of the order's currency, `_nano` is nano-USD.
CREATE TABLE top_ups (
  id                 uuid PRIMARY KEY,
  wallet_id          uuid NOT NULL,
  payer_id           uuid,                -- null where an operator booked a payment
  provider           text NOT NULL,       -- 'stripe', 'bank'
  is_live            boolean NOT NULL,    -- false: money of a provider's test mode
  channel            text NOT NULL CHECK (channel IN ('usd', 'local')),
  currency           text NOT NULL CHECK (currency ~ '^[a-z]{3}$'),
  rate               numeric(18, 8) CHECK (rate > 0), -- units of the currency for a US dollar; null in US dollars
  -- As quoted before payment.
  credit_nano        bigint NOT NULL CHECK (credit_nano > 0),
  fee_nano           bigint NOT NULL CHECK (fee_nano >= 0),
  tax_nano           bigint NOT NULL CHECK (tax_nano >= 0),
  credit_minor       bigint NOT NULL CHECK (credit_minor > 0),
  fee_minor          bigint NOT NULL CHECK (fee_minor >= 0),
  tax_minor          bigint NOT NULL CHECK (tax_minor >= 0),
  total_minor        bigint NOT NULL CHECK (total_minor = credit_minor + fee_minor + tax_minor),
  state              text NOT NULL DEFAULT 'open' CHECK (state IN
    ('open', 'expired', 'mismatch', 'paid', 'partly_refunded', 'refunded', 'disputed', 'won', 'lost')),
  mismatch           text CHECK (mismatch IN ('amount', 'currency', 'mode', 'order')), -- what was not as ordered
  -- Totals that the provider has reported. They only grow, so a late or repeated report changes nothing.
  paid_minor         bigint NOT NULL DEFAULT 0 CHECK (paid_minor >= 0),
  refunded_minor     bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
  returned_minor     bigint NOT NULL DEFAULT 0 CHECK (returned_minor BETWEEN 0 AND refunded_minor), -- refunds that failed later
  withdrawn_minor    bigint NOT NULL DEFAULT 0 CHECK (withdrawn_minor >= 0),
  reinstated_minor   bigint NOT NULL DEFAULT 0,
  lost_minor         bigint NOT NULL DEFAULT 0,
  -- Amounts booked for the payment, and the current amount in the account `disputed`.
  paid_credit_nano   bigint NOT NULL DEFAULT 0,
  paid_fee_nano      bigint NOT NULL DEFAULT 0,
  paid_tax_nano      bigint NOT NULL DEFAULT 0,
  disputed_nano      bigint NOT NULL DEFAULT 0,
  -- Processing fees that the provider took and returned, in US cents.
  processed_cents    bigint NOT NULL DEFAULT 0 CHECK (processed_cents >= 0),
  unprocessed_cents  bigint NOT NULL DEFAULT 0 CHECK (unprocessed_cents >= 0),
  effects            integer NOT NULL DEFAULT 0,
  -- The provider's ids.
  checkout_ref       text,
  payment_ref        text,
  checkout_url       text,
  reference          text,                -- of a bank transfer, such as an invoice number
  next_check_at      timestamptz,         -- when a worker asks the provider again; null: never
  created_at         timestamptz NOT NULL DEFAULT now(),
  paid_at            timestamptz,
  updated_at         timestamptz NOT NULL DEFAULT now(),
  CHECK (reinstated_minor >= 0 AND lost_minor >= 0 AND reinstated_minor + lost_minor <= withdrawn_minor)
);
CREATE INDEX top_ups_wallet ON top_ups (wallet_id, id);
CREATE INDEX top_ups_payer ON top_ups (payer_id, id) WHERE payer_id IS NOT NULL;
CREATE INDEX top_ups_due ON top_ups (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX top_ups_mismatch ON top_ups (id) WHERE mismatch IS NOT NULL;
CREATE UNIQUE INDEX top_ups_checkout ON top_ups (provider, checkout_ref) WHERE checkout_ref IS NOT NULL;
CREATE UNIQUE INDEX top_ups_payment ON top_ups (provider, payment_ref) WHERE payment_ref IS NOT NULL;
CREATE UNIQUE INDEX top_ups_reference ON top_ups (provider, reference) WHERE reference IS NOT NULL;

-- Ledger transactions booked for an order. The position and the resulting total of the kind are keys, so nothing is
-- booked twice, even by a process with stale state.
CREATE TABLE top_up_effects (
  top_up_id      uuid NOT NULL REFERENCES top_ups (id),
  position       integer NOT NULL,
  kind           text NOT NULL CHECK (kind IN
    ('payment', 'refund', 'refund_returned', 'dispute', 'dispute_won', 'dispute_lost', 'processor_fee', 'processor_fee_returned')),
  transaction_id uuid NOT NULL UNIQUE,   -- in ledger_transfers
  amount_minor   bigint NOT NULL,        -- of the order's currency; of a processor's fee, US cents
  sum_minor      bigint NOT NULL,        -- of its kind, this one included
  booked_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (top_up_id, position),
  UNIQUE (top_up_id, kind, sum_minor)
);

-- Provider events whose effect is booked, written in the transaction that books it.
CREATE TABLE payment_events (
  provider    text NOT NULL,
  id          text NOT NULL,
  type        text NOT NULL,
  top_up_id   uuid,                      -- null: of no order of ours
  created_at  timestamptz NOT NULL,      -- by the provider's clock
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, id)
);
CREATE INDEX payment_events_received ON payment_events (received_at);

-- The provider's own books, as read by a worker. `weir audit ledger` compares them with the effects above.
CREATE TABLE payment_balances (
  provider       text NOT NULL,
  id             text NOT NULL,
  kind           text NOT NULL,          -- as in top_up_effects
  top_up_id      uuid,                   -- null: no order explains it
  currency       text NOT NULL,
  amount_minor   bigint NOT NULL,        -- what the payer paid or got back, never negative
  fee_cents      bigint NOT NULL,        -- what the provider took for it, in US cents; negative where it gave back
  created_at     timestamptz NOT NULL,
  PRIMARY KEY (provider, id)
);
CREATE INDEX payment_balances_top_up ON payment_balances (top_up_id);

-- The read position in each provider's lists.
CREATE TABLE payment_watermarks (
  provider        text PRIMARY KEY,
  events_until    timestamptz NOT NULL,
  balances_until  timestamptz NOT NULL
);

-- Requests of operators and owners that must not run twice, by their idempotency key.
CREATE TABLE idempotency_keys (
  scope       text NOT NULL,             -- the endpoint and whose key it is
  key         text NOT NULL,
  fingerprint text NOT NULL,             -- of what was asked for; another request with the key is refused
  result_id   uuid NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

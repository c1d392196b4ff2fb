-- The ledger is a list of transfers: each row debits one account and credits another by the same amount, so a
-- transaction can not fail to sum to zero. Rows are never changed. Accounts are local to a wallet ('wallet' is what the
-- owner has, the others are the service's side), so no money transaction ever spans two wallets.

CREATE TABLE ledger_transfers (
  id           uuid NOT NULL,      -- of the transaction; for a charge, the generation's id
  leg          smallint NOT NULL,  -- a top-up has several: credit, fee, tax
  wallet_id    uuid NOT NULL,
  kind         text NOT NULL CHECK (kind IN ('charge', 'top_up', 'fee', 'tax', 'grant', 'correction')),
  debit        text NOT NULL CHECK (debit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants')),
  credit       text NOT NULL CHECK (credit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants')),
  amount_nano  bigint NOT NULL CHECK (amount_nano > 0),
  note         text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  CHECK (debit <> credit),
  PRIMARY KEY (id, leg)
) PARTITION BY RANGE (id);
CREATE TABLE ledger_transfers_default PARTITION OF ledger_transfers DEFAULT;
CREATE INDEX ledger_transfers_wallet ON ledger_transfers (wallet_id, id);

-- The same rows as classic signed postings, for audits.
CREATE VIEW ledger_postings AS
  SELECT id, leg, wallet_id, kind, debit AS account, -amount_nano AS amount_nano, created_at FROM ledger_transfers
  UNION ALL
  SELECT id, leg, wallet_id, kind, credit, amount_nano, created_at FROM ledger_transfers;

-- A hold exists while its request may still spend. Settling or lapsing deletes it; wallets.held_nano is the sum of
-- what is here. The windows it counts in are kept with it, so that whoever closes it can find them.
CREATE TABLE holds (
  id            uuid PRIMARY KEY, -- the generation's id
  wallet_id     uuid NOT NULL,
  key_id        uuid NOT NULL,
  amount_nano   bigint NOT NULL CHECK (amount_nano >= 0),
  lease_until   timestamptz NOT NULL,
  window_kinds  text[] NOT NULL DEFAULT '{}',
  window_owners uuid[] NOT NULL DEFAULT '{}',
  window_starts bigint[] NOT NULL DEFAULT '{}',
  placed_at     timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX holds_lease ON holds (lease_until);

-- What became of holds that nobody settled, for /v1/generation; a late settle is still charged.
CREATE TABLE lapsed_holds (
  id          uuid PRIMARY KEY,
  wallet_id   uuid NOT NULL,
  key_id      uuid NOT NULL,
  amount_nano bigint NOT NULL,
  lapsed_at   timestamptz NOT NULL DEFAULT now()
);

-- Spend per limited scope and period. The period's start is part of the key, so nothing ever resets a counter.
-- Only scopes with a limit have rows; the first hold of a period seeds its row from stored sums.
CREATE TABLE spend_windows (
  kind         text NOT NULL,   -- a row of domain/limits/scopes.ts
  owner_id     uuid NOT NULL,   -- the key, user, member, team or organization that the limit is on
  starts_at    bigint NOT NULL, -- Unix milliseconds; 0 for a limit over the whole life
  held_nano    bigint NOT NULL DEFAULT 0 CHECK (held_nano >= 0),
  spent_nano   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (kind, owner_id, starts_at)
) WITH (fillfactor = 50);

-- Settled use of a key per UTC day: what /v1/key shows and what a new window is seeded from.
CREATE TABLE key_usage_days (
  key_id            uuid NOT NULL,
  day               date NOT NULL,
  spent_nano        bigint NOT NULL DEFAULT 0,
  requests          bigint NOT NULL DEFAULT 0,
  prompt_tokens     bigint NOT NULL DEFAULT 0,
  completion_tokens bigint NOT NULL DEFAULT 0,
  last_used_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, day)
) WITH (fillfactor = 50);

-- Rows of these tables live for seconds or change all day: they are vacuumed by count, not by a share of their size.
ALTER TABLE holds SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE spend_windows SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE wallets SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

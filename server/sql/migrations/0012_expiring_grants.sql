-- The part of a grant that is returned when it expires. As in the payments migration, the wider check is not validated.
ALTER TABLE ledger_transfers
  DROP CONSTRAINT ledger_transfers_kind_check,
  ADD CONSTRAINT ledger_transfers_kind_check CHECK (kind IN ('charge', 'top_up', 'fee', 'tax', 'grant', 'correction',
    'refund', 'dispute', 'dispute_won', 'dispute_lost', 'redemption', 'grant_expired', 'processor_fee', 'write_off')) NOT VALID;

-- Credit that expires. A row is written with the credit and changed under the wallet's lock. States: open; ending
-- (due_nano is set: running requests still hold the rest); closed (charged_until_nano is set).
CREATE TABLE wallet_grants (
  id                 uuid PRIMARY KEY,     -- of the ledger transaction that gave it
  wallet_id          uuid NOT NULL,
  amount_nano        bigint NOT NULL CHECK (amount_nano > 0),
  -- The wallet's total charges when the grant began and when it was closed. The share of each of several grants follows
  -- from these totals, without reading the charges.
  charged_from_nano  bigint NOT NULL,
  charged_until_nano bigint CHECK (charged_until_nano >= charged_from_nano),
  expires_at         timestamptz NOT NULL,
  look_at            timestamptz NOT NULL, -- when a worker looks at it next
  returned_nano      bigint NOT NULL DEFAULT 0 CHECK (returned_nano BETWEEN 0 AND amount_nano),
  due_nano           bigint CHECK (due_nano >= 0), -- the most that may still go back
  created_at         timestamptz NOT NULL DEFAULT now(),
  CHECK (due_nano IS NULL OR due_nano <= amount_nano - returned_nano)
);
CREATE INDEX wallet_grants_wallet ON wallet_grants (wallet_id, expires_at);
CREATE INDEX wallet_grants_open ON wallet_grants (look_at) WHERE charged_until_nano IS NULL;

-- Null means the credit of a campaign does not expire.
ALTER TABLE redemption_campaigns ADD COLUMN credit_expires_at timestamptz;

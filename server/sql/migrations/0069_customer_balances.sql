-- Customers that pay from a balance of their own. The balance is the window `customer_balance` in `spend_windows`: its
-- limit is zero, what was paid in counts as negative spend, and so what is left is the balance. It is a part of the
-- wallet's money that is held for this customer, so it is in the wallet's `held_nano` too.
ALTER TABLE end_customers ADD COLUMN is_prepaid boolean NOT NULL DEFAULT false;

-- The sum of the balances of a wallet's customers, a part of its `held_nano`.
ALTER TABLE wallets ADD COLUMN customers_nano bigint NOT NULL DEFAULT 0;
ALTER TABLE wallets ADD CONSTRAINT wallets_customers_nano_check CHECK (customers_nano >= 0) NOT VALID;

-- The customer whose balance a transfer moves. Null for all other transfers.
ALTER TABLE ledger_transfers ADD COLUMN end_customer_id uuid;

-- The account `customers` is the part of a wallet that is in its customers' balances. The wider checks are not
-- validated.
ALTER TABLE ledger_transfers
  DROP CONSTRAINT ledger_transfers_kind_check,
  ADD CONSTRAINT ledger_transfers_kind_check CHECK (kind IN ('charge', 'top_up', 'fee', 'tax', 'grant', 'correction',
    'refund', 'dispute', 'dispute_won', 'dispute_lost', 'redemption', 'grant_expired', 'processor_fee', 'write_off',
    'customer_transfer')) NOT VALID,
  DROP CONSTRAINT ledger_transfers_debit_check,
  ADD CONSTRAINT ledger_transfers_debit_check CHECK (debit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants',
    'disputed', 'losses', 'processor', 'customers')) NOT VALID,
  DROP CONSTRAINT ledger_transfers_credit_check,
  ADD CONSTRAINT ledger_transfers_credit_check CHECK (credit IN ('cash', 'wallet', 'usage', 'fees', 'tax', 'grants',
    'disputed', 'losses', 'processor', 'customers')) NOT VALID;

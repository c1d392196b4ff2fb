-- The wallet's balance after the transfer. Null for transfers booked before this column existed.
ALTER TABLE ledger_transfers ADD COLUMN balance_after_nano bigint;

-- Top-ups, grants and similar transfers are few among the charges.
CREATE INDEX ledger_transfers_credits ON ledger_transfers (wallet_id, id) WHERE kind <> 'charge';

CREATE INDEX holds_wallet ON holds (wallet_id, id);

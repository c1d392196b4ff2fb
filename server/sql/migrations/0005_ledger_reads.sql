-- What the wallet had once the transfer was booked. Null for transfers that were booked before there was this column.
ALTER TABLE ledger_transfers ADD COLUMN balance_after_nano bigint;

-- Top-ups, grants and their like are few among the charges.
CREATE INDEX ledger_transfers_credits ON ledger_transfers (wallet_id, id) WHERE kind <> 'charge';

CREATE INDEX holds_wallet ON holds (wallet_id, id);

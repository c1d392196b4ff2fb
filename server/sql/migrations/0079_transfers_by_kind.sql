-- Lists a wallet's transfers of one kind, beside any number of others: of charges, which have the index of all, and of
-- moves to the balances of customers. The index of the parent is complete once every partition has one: new partitions
-- get theirs when they are created, and a worker builds those of earlier ones.
CREATE INDEX ledger_transfers_kind ON ONLY ledger_transfers (wallet_id, kind, id) WHERE kind <> 'charge';
CREATE INDEX ledger_transfers_default_kind ON ledger_transfers_default (wallet_id, kind, id) WHERE kind <> 'charge';
ALTER INDEX ledger_transfers_kind ATTACH PARTITION ledger_transfers_default_kind;

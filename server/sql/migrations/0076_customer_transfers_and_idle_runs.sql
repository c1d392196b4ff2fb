-- Lists the transfers of one customer's balance. The index of the parent is complete once every partition has one: new
-- partitions get theirs when they are created, and a worker builds those of earlier ones.
CREATE INDEX ledger_transfers_customer ON ONLY ledger_transfers (end_customer_id, id) WHERE kind = 'customer_transfer';
CREATE INDEX ledger_transfers_default_customer ON ledger_transfers_default (end_customer_id, id)
  WHERE kind = 'customer_transfer';
ALTER INDEX ledger_transfers_customer ATTACH PARTITION ledger_transfers_default_customer;

-- When the run last had a request, as a worker found it. Null until the run is old enough to be looked at.
ALTER TABLE runs ADD COLUMN active_at timestamptz;
CREATE INDEX runs_idle ON runs ((coalesce(active_at, created_at)));

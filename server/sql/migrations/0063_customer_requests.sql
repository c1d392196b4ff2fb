-- Lists the requests of one customer. The index of the parent is complete once every partition has one: new partitions
-- get theirs when they are created, and a worker builds those of earlier ones.
CREATE INDEX generations_end_customer ON ONLY generations (end_customer_id, id) WHERE end_customer_id IS NOT NULL;
CREATE INDEX generations_default_end_customer ON generations_default (end_customer_id, id)
  WHERE end_customer_id IS NOT NULL;
ALTER INDEX generations_end_customer ATTACH PARTITION generations_default_end_customer;

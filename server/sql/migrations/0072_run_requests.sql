-- Lists the requests of one run. The index of the parent is complete once every partition has one: new partitions get
-- theirs when they are created, and a worker builds those of earlier ones.
CREATE INDEX generations_run ON ONLY generations (run_id, id) WHERE run_id IS NOT NULL;
CREATE INDEX generations_default_run ON generations_default (run_id, id) WHERE run_id IS NOT NULL;
ALTER INDEX generations_run ATTACH PARTITION generations_default_run;

-- The client's own id of its user, as the body of a request names it. The index lists the requests of one user, and
-- finds those that name any when their person is deleted. The index of the parent is complete once every partition
-- has one: new partitions get theirs when they are created, and a worker builds those of earlier ones.
ALTER TABLE generations ADD COLUMN end_user text COLLATE "C";
CREATE INDEX generations_end_user ON ONLY generations (wallet_id, end_user, id) WHERE end_user IS NOT NULL;
CREATE INDEX generations_default_end_user ON generations_default (wallet_id, end_user, id) WHERE end_user IS NOT NULL;
ALTER INDEX generations_end_user ATTACH PARTITION generations_default_end_user;

-- Wallets of deleted persons whose requests may still name users. A worker removes them day by day, and then the row.
CREATE TABLE end_user_erasures (
  wallet_id uuid PRIMARY KEY REFERENCES wallets (id),
  -- Requests with smaller ids name no users.
  next_id uuid NOT NULL
);

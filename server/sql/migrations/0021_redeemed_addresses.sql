-- A keyed hash of the person's address, which outlives their account: whoever deletes it and signs up again is the same person. It cannot
-- be turned back without the installation's secret. Null: redeemed before this was kept.
ALTER TABLE redemptions ADD COLUMN address_hash bytea CHECK (length(address_hash) = 32);
CREATE INDEX redemptions_address ON redemptions (campaign_id, address_hash);

-- A keyed hash of the person's email address. It outlives the account, so that a person who deletes the account and
-- signs up again is recognized. Without the installation's secret the hash does not reveal the address. Null for
-- redemptions before this column existed.
ALTER TABLE redemptions ADD COLUMN address_hash bytea CHECK (length(address_hash) = 32);
CREATE INDEX redemptions_address ON redemptions (campaign_id, address_hash);

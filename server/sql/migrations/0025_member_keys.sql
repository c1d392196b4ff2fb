-- How many API keys each member of an organization may create. With 0, only administrators create keys.
ALTER TABLE organizations ADD COLUMN member_keys_max integer NOT NULL DEFAULT 0
  CHECK (member_keys_max BETWEEN 0 AND 100);

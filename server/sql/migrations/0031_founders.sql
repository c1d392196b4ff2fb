-- The person who created an organization by self-service, for their limit. Null if an operator created it.
ALTER TABLE organizations ADD COLUMN founder_id uuid REFERENCES users (id) ON DELETE SET NULL;
CREATE INDEX organizations_founder ON organizations (founder_id) WHERE founder_id IS NOT NULL;

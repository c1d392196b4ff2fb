-- How an account takes part in routing, beside whether it does.
ALTER TABLE provider_accounts
  ADD COLUMN weight integer NOT NULL DEFAULT 1 CHECK (weight BETWEEN 1 AND 1000), -- its share among accounts with the vendor
  ADD COLUMN keeps_prompts boolean,         -- null: as the vendor does
  ADD COLUMN variant text NOT NULL DEFAULT ''; -- the region or service tier whose offers hold for it; empty: told by its address

-- Keys of operators belong to nobody and pay for nothing. Their wallet is one that can not exist.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_type_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_type_check CHECK (type IN ('standard', 'management', 'institution', 'operator'));
ALTER TABLE api_keys DROP CONSTRAINT api_keys_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_owner_check CHECK (
  CASE WHEN type = 'operator'
    THEN user_id IS NULL AND organization_id IS NULL AND member_id IS NULL AND team_id IS NULL
      AND wallet_id = '00000000-0000-0000-0000-000000000000'
    ELSE user_id IS NOT NULL OR organization_id IS NOT NULL
  END);
CREATE INDEX api_keys_operators ON api_keys (created_at) WHERE type = 'operator';

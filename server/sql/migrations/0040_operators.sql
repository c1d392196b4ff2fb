-- The people who operate the platform. domain/access/operator-actions.ts says what each role may do.
CREATE TABLE operators (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('owner', 'support', 'finance', 'read_only')),
  added_at timestamptz NOT NULL DEFAULT now()
);

-- The role of an operator key. Null for keys of accounts, and for operator keys from before the roles: these may do
-- what an owner may.
ALTER TABLE api_keys ADD COLUMN operator_role text;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_operator_role_check
  CHECK (operator_role IS NULL OR (operator_role IN ('owner', 'support', 'finance', 'read_only') AND type = 'operator')) NOT VALID;

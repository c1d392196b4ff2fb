-- A suspended member keeps budget, keys and history, but neither the person nor their keys have access.
ALTER TABLE members ADD COLUMN suspended_at timestamptz;

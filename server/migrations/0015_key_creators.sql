-- Who made a key. Null: an operator, or nobody remembers.
ALTER TABLE api_keys ADD COLUMN created_by uuid REFERENCES users (id);

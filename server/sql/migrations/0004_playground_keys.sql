-- Keys that the console creates for its playground. They live for an hour at most, and key lists do not show them.
ALTER TABLE api_keys ADD COLUMN playground boolean NOT NULL DEFAULT false;

CREATE INDEX api_keys_playground ON api_keys (user_id, id) WHERE playground AND revoked_at IS NULL;

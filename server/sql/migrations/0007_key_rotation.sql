-- The previous secret of a rotated key, and until when it works beside the new one.
ALTER TABLE api_keys ADD COLUMN former_hash bytea, ADD COLUMN former_until timestamptz,
  ADD CHECK ((former_hash IS NULL) = (former_until IS NULL));

CREATE UNIQUE INDEX api_keys_former_hash ON api_keys (former_hash) WHERE former_hash IS NOT NULL;

-- A campus is many people behind one address, so each institution key sets its own limits on code requests.
ALTER TABLE institution_keys
  ADD COLUMN codes_per_network integer NOT NULL DEFAULT 10 CHECK (codes_per_network > 0),
  ADD COLUMN codes_per_hour integer NOT NULL DEFAULT 100 CHECK (codes_per_hour > 0);

-- The same limits by the digest of the key, for keys that changed them: a code request is counted before any key is
-- looked up, so that its time does not tell which keys exist.
CREATE TABLE institution_code_limits (
  key_hash bytea PRIMARY KEY,
  codes_per_network integer NOT NULL,
  codes_per_hour integer NOT NULL
);
CREATE TRIGGER institution_keys_code_limits AFTER INSERT OR UPDATE OF codes_per_network, codes_per_hour ON institution_keys
  FOR EACH ROW EXECUTE FUNCTION keep_code_limits();

-- Guesses of codes. A correct one is deleted again, so what stays are the wrong ones.
CREATE TABLE institution_wrong_codes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL,
  client bytea NOT NULL,
  key_hash bytea NOT NULL
);
CREATE INDEX institution_wrong_codes_client ON institution_wrong_codes (client, at);
CREATE INDEX institution_wrong_codes_key ON institution_wrong_codes (key_hash, at);
CREATE INDEX institution_wrong_codes_at ON institution_wrong_codes (at);

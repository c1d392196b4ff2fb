-- Copies the limits of an institution key on code requests to the table by which requests are judged. A key with the
-- defaults has no row there.
CREATE OR REPLACE FUNCTION keep_code_limits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM institution_code_limits l USING api_keys k WHERE k.id = NEW.key_id AND l.key_hash = k.secret_hash;
  INSERT INTO institution_code_limits (key_hash, codes_per_network, codes_per_hour)
    SELECT k.secret_hash, NEW.codes_per_network, NEW.codes_per_hour FROM api_keys k
    WHERE k.id = NEW.key_id AND (NEW.codes_per_network, NEW.codes_per_hour) <> (10, 100);
  RETURN NULL;
END $$;

-- What one person may spend in a calendar month (UTC) with an institution key, over all sessions.
ALTER TABLE institution_keys
  ADD COLUMN person_month_quota_nano bigint CHECK (person_month_quota_nano > 0);

-- The keyed hash of the institution key and the address. Sessions that began before this version have none; each
-- of them counts as a person of its own until it ends.
ALTER TABLE institution_sessions ADD COLUMN person_id uuid;

-- The settled spend of a person by month. A key whose quota is set in the middle of a month counts from it.
CREATE TABLE institution_person_months (
  person_id uuid NOT NULL,
  month date NOT NULL,
  key_id uuid NOT NULL,
  spent_nano bigint NOT NULL,
  PRIMARY KEY (person_id, month)
) WITH (fillfactor = 70);
CREATE INDEX institution_person_months_key ON institution_person_months (month, key_id);

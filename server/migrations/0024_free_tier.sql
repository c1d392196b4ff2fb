-- Models that are free within a quota when they are called by their own id. Entries that end in ':free' are always free and
-- have the usual quota, unless a row here says otherwise.
CREATE TABLE free_models (
  model_id             text PRIMARY KEY,
  requests_per_minute  integer NOT NULL DEFAULT 10 CHECK (requests_per_minute BETWEEN 0 AND 1000000),
  units_per_day        integer NOT NULL DEFAULT 150 CHECK (units_per_day BETWEEN 0 AND 1000000000),
  enabled              boolean NOT NULL DEFAULT true, -- false: paid, or for a ':free' entry not served
  updated_at           timestamptz NOT NULL DEFAULT now()
);

INSERT INTO revisions (topic) VALUES ('free');

-- Whether calls with the key go on at the paid price when a free quota is used up.
ALTER TABLE api_keys ADD COLUMN free_fallback boolean NOT NULL DEFAULT true;

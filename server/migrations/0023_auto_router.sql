-- Which models serve the requests that leave the choice to us: a list for each tier in each of two tables.
CREATE TABLE auto_tiers (
  table_name  text NOT NULL CHECK (table_name IN ('paid', 'free')),
  tier        text NOT NULL CHECK (tier IN ('simple', 'standard', 'complex', 'reasoning', 'coding', 'vision', 'image', 'video',
                                            'data', 'search', 'social', 'email', 'calendar', 'trading')),
  enabled     boolean NOT NULL DEFAULT true,
  models      text[] NOT NULL DEFAULT '{}' CHECK (cardinality(models) <= 6), -- the primary model, then its fallbacks in order
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (table_name, tier)
);

INSERT INTO auto_tiers (table_name, tier)
SELECT table_name, tier
FROM unnest(ARRAY['paid', 'free']) AS table_name,
     unnest(ARRAY['simple', 'standard', 'complex', 'reasoning', 'coding', 'vision', 'image', 'video', 'data', 'search', 'social',
                  'email', 'calendar', 'trading']) AS tier;

INSERT INTO revisions (topic) VALUES ('auto');

-- What a request cost the operator at the provider. Null means exactly the cost that was charged plus the cost that was
-- absorbed, which is so for every request at the list price and takes no room.
ALTER TABLE generations ADD COLUMN provider_cost_nano bigint;

-- The price list that the operator pays for an offer, in the form of `prices`. Null means the list price.
ALTER TABLE offers ADD COLUMN purchase jsonb;

-- The operator's discount at a provider, in millionths of the price.
ALTER TABLE provider_accounts
  ADD COLUMN discount_ppm integer NOT NULL DEFAULT 0 CHECK (discount_ppm BETWEEN 0 AND 1000000);

-- What each wallet paid and cost per day of settlement, model and provider. Only operators read it.
CREATE TABLE earning_days (
  day date NOT NULL,
  wallet_id uuid NOT NULL,
  model text NOT NULL,
  -- Empty if no provider answered.
  provider text NOT NULL,
  requests bigint NOT NULL,
  charged_nano bigint NOT NULL,
  absorbed_nano bigint NOT NULL,
  provider_cost_nano bigint NOT NULL,
  PRIMARY KEY (day, wallet_id, model, provider)
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Every generation with a smaller position is in `earning_days`. It starts below all positions, so that workers add all
-- stored generations, batch by batch.
ALTER TABLE rollup_state ADD COLUMN earned_below bigint NOT NULL DEFAULT 0;

-- Codes for credit. A redemption locks the code, then the campaign, then the wallet. The campaign's lock also makes the
-- counts by person and by wallet exact.
CREATE TABLE redemption_campaigns (
  id               uuid PRIMARY KEY,
  name             text NOT NULL,
  amount_nano      bigint NOT NULL CHECK (amount_nano > 0), -- credit of one redemption
  codes            integer NOT NULL CHECK (codes > 0),
  uses_per_code    integer NOT NULL CHECK (uses_per_code > 0),
  redemptions_max  integer NOT NULL CHECK (redemptions_max > 0),
  redemptions_left integer NOT NULL CHECK (redemptions_left BETWEEN 0 AND redemptions_max),
  per_person_max   integer CHECK (per_person_max > 0), -- null: no limit
  per_wallet_max   integer CHECK (per_wallet_max > 0), -- null: no limit
  ends_at          timestamptz,                        -- null: never
  enabled          boolean NOT NULL DEFAULT true,
  created_at       timestamptz NOT NULL DEFAULT now()
);

-- A code has 128 random bits, so its plain hash cannot be turned back. The code itself is shown once and stored
-- nowhere.
CREATE TABLE redemption_codes (
  code_hash   bytea PRIMARY KEY CHECK (length(code_hash) = 32),
  campaign_id uuid NOT NULL REFERENCES redemption_campaigns (id),
  uses_left   integer NOT NULL CHECK (uses_left >= 0)
);
CREATE INDEX redemption_codes_campaign ON redemption_codes (campaign_id);

-- The id is also the id of the ledger transaction that credits the wallet.
CREATE TABLE redemptions (
  id          uuid PRIMARY KEY,
  campaign_id uuid NOT NULL REFERENCES redemption_campaigns (id),
  code_hash   bytea NOT NULL REFERENCES redemption_codes (code_hash),
  wallet_id   uuid NOT NULL,
  user_id     uuid NOT NULL,
  redeemed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX redemptions_person ON redemptions (campaign_id, user_id);
CREATE INDEX redemptions_wallet ON redemptions (campaign_id, wallet_id);

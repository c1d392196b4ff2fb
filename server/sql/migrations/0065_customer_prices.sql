-- What a wallet's owner adds to the cost of requests when billing customers, in basis points. Null means the default of
-- the wallet.
ALTER TABLE end_customers ADD COLUMN markup_basis_points integer;

-- The terms of customers that have none of their own. Customers that their first request creates copy the limits.
CREATE TABLE customer_settings (
  wallet_id uuid PRIMARY KEY REFERENCES wallets (id),
  day_limit_nano bigint CHECK (day_limit_nano >= 0),
  month_limit_nano bigint CHECK (month_limit_nano >= 0),
  total_limit_nano bigint CHECK (total_limit_nano >= 0),
  markup_basis_points integer NOT NULL DEFAULT 0
);

-- Every markup that was ever in force, so that prices of earlier requests never change. The owner is a customer, or the
-- wallet for its default. Null: the customer has had no markup of its own since then.
CREATE TABLE customer_markups (
  owner_id uuid NOT NULL,
  since timestamptz NOT NULL,
  basis_points integer,
  PRIMARY KEY (owner_id, since)
);

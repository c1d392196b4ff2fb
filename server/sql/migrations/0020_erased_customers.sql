-- Payment provider customers of erased people, with the cards stored for them. A worker deletes them at the provider.
CREATE TABLE erased_payment_customers (
  provider     text NOT NULL,
  is_live      boolean NOT NULL,                      -- false: of the provider's test mode
  customer_ref text NOT NULL,                         -- what the provider calls it
  look_at      timestamptz NOT NULL DEFAULT now(),    -- when a worker may ask for it again
  PRIMARY KEY (provider, is_live, customer_ref)
);

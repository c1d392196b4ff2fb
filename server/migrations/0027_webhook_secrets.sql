-- With a secret of its own, an account can tell our webhooks from everybody else's.
CREATE TABLE webhook_secrets (
  id          uuid PRIMARY KEY REFERENCES wallets (id) ON DELETE CASCADE, -- the account's wallet
  secret      jsonb NOT NULL,                                             -- sealed
  created_at  timestamptz NOT NULL DEFAULT clock_timestamp()
);

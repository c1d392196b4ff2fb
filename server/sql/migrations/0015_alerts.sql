-- Alerts are also delivered as webhooks, which belong to no video job.
ALTER TABLE webhook_deliveries ALTER COLUMN job_id DROP NOT NULL;

-- Alert settings of a wallet's owner.
CREATE TABLE wallet_alerts (
  wallet_id       uuid PRIMARY KEY REFERENCES wallets (id) ON DELETE CASCADE,
  by_mail         boolean NOT NULL,
  webhook_url     text,
  balances_nano   bigint[] NOT NULL,  -- told once the balance is below each of them
  budget_percents integer[] NOT NULL, -- told once so much of a budget is spent
  -- The wallet's totals at the last check. While they are unchanged, there is nothing to report.
  credited_nano   bigint,
  charged_nano    bigint,
  updated_at      timestamptz NOT NULL DEFAULT now()
);

-- Alerts that were sent. A row is deleted once the threshold may be crossed again: after a top-up, or with the next
-- window.
CREATE TABLE told_alerts (
  wallet_id uuid NOT NULL REFERENCES wallet_alerts (wallet_id) ON DELETE CASCADE,
  kind      text NOT NULL,   -- 'balance', or as in spend_windows
  owner_id  uuid NOT NULL,   -- the wallet, or whose budget it is
  starts_at bigint NOT NULL, -- of the window; 0 for a balance
  threshold bigint NOT NULL, -- nano-USD of a balance, percent of a budget
  told_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (wallet_id, kind, owner_id, starts_at, threshold)
);

-- An operator's accounts with upstream providers, and which models go to which account.

CREATE TABLE provider_accounts (
  id          uuid PRIMARY KEY,
  name        text NOT NULL UNIQUE,   -- what operators call it; the vendor's slug unless there are several
  vendor      text NOT NULL,          -- a folder of providers/
  base_url    text,                   -- null: the vendor's own
  credential  jsonb,                  -- sealed; null where the vendor needs none
  enabled     boolean NOT NULL DEFAULT true,
  created_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE routes (
  id              uuid PRIMARY KEY,
  pattern         text NOT NULL,      -- a model id, 'author/*' or '*'
  account_id      uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  upstream_model  text,               -- null: what the catalogue's offer says
  priority        integer NOT NULL DEFAULT 0, -- lower is tried first
  created_at      timestamptz NOT NULL DEFAULT now(),
  UNIQUE (pattern, account_id)
);

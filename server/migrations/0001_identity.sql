-- Who calls and who pays. A key belongs to a user or to an organization (perhaps through a member and a team);
-- exactly one wallet pays for it. Ids are UUID version 7, made by the application, so wallets can be spread over
-- several primaries without a common sequence.

CREATE TABLE users (
  id            uuid PRIMARY KEY,
  email         text NOT NULL,
  name          text NOT NULL DEFAULT '',
  suspended_at  timestamptz,
  -- The personal spend breaker; a null limit inherits the platform's default.
  breaker_enabled      boolean NOT NULL DEFAULT false,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano >= 10000000),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano >= 10000000),
  created_at    timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email ON users (lower(email));

CREATE TABLE wallets (
  id               uuid PRIMARY KEY,
  owner_kind       text NOT NULL CHECK (owner_kind IN ('user', 'organization')),
  owner_id         uuid NOT NULL,
  -- Projections of ledger_transfers and holds, kept by the functions in 0004.
  balance_nano     bigint NOT NULL DEFAULT 0,
  held_nano        bigint NOT NULL DEFAULT 0 CHECK (held_nano >= 0),
  credited_nano    bigint NOT NULL DEFAULT 0,
  charged_nano     bigint NOT NULL DEFAULT 0,
  -- How far below zero a monthly-billed owner may go; zero for prepaid.
  credit_line_nano bigint NOT NULL DEFAULT 0 CHECK (credit_line_nano >= 0),
  created_at       timestamptz NOT NULL DEFAULT now(),
  UNIQUE (owner_kind, owner_id)
) WITH (fillfactor = 50); -- balances are updated in place all day; free space keeps those updates heap-only

CREATE TABLE api_keys (
  id                  uuid PRIMARY KEY,
  secret_hash         bytea NOT NULL UNIQUE,
  prefix              text NOT NULL,
  suffix              text NOT NULL,
  name                text NOT NULL,
  type                text NOT NULL CHECK (type IN ('standard', 'management')),
  enabled             boolean NOT NULL DEFAULT true,
  user_id             uuid REFERENCES users (id),
  organization_id     uuid,
  member_id           uuid,
  team_id             uuid,
  wallet_id           uuid NOT NULL,
  spend_limit_nano    bigint CHECK (spend_limit_nano >= 0),
  spend_limit_period  text CHECK (spend_limit_period IN ('day', 'week', 'month')), -- null: over the key's whole life
  allowed_cidrs       text[] NOT NULL DEFAULT '{}',
  expires_at          timestamptz,
  revoked_at          timestamptz,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now(),
  CHECK (user_id IS NOT NULL OR organization_id IS NOT NULL)
);
CREATE INDEX api_keys_wallet ON api_keys (wallet_id);
CREATE INDEX api_keys_user ON api_keys (user_id);

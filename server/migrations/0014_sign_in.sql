-- How people sign in. The tables auth_* belong to the library that does it; users and wallets stay ours, and a person has
-- the same id in both. Whoever may not prove an address must not be found by it.

ALTER TABLE users ADD COLUMN email_verified boolean NOT NULL DEFAULT false;
-- All who are here were made by an operator, who vouches for the address.
UPDATE users SET email_verified = true;

CREATE TABLE auth_users (
  id                  uuid PRIMARY KEY, -- that of users
  name                text NOT NULL,
  email               text NOT NULL UNIQUE CHECK (email = lower(email)),
  email_verified      boolean NOT NULL DEFAULT false,
  image               text,
  two_factor_enabled  boolean DEFAULT false,
  created_at          timestamptz NOT NULL DEFAULT now(),
  updated_at          timestamptz NOT NULL DEFAULT now()
);
-- Everybody can sign in once the address is proven by mail; nobody has a password yet.
INSERT INTO auth_users (id, name, email, email_verified, created_at)
  SELECT id, name, lower(email), true, created_at FROM users;

CREATE TABLE auth_sessions (
  id          uuid PRIMARY KEY,
  token       text NOT NULL UNIQUE,
  user_id     uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  expires_at  timestamptz NOT NULL,
  ip_address  text,
  user_agent  text,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_sessions_user ON auth_sessions (user_id);
CREATE INDEX auth_sessions_expiry ON auth_sessions (expires_at);

-- A way of signing in: a password, or an account at another provider.
CREATE TABLE auth_accounts (
  id                        uuid PRIMARY KEY,
  user_id                   uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  provider_id               text NOT NULL,
  account_id                text NOT NULL,
  password                  text, -- hashed
  access_token              text, -- never kept, and so are the other two
  refresh_token             text,
  id_token                  text,
  access_token_expires_at   timestamptz,
  refresh_token_expires_at  timestamptz,
  scope                     text,
  created_at                timestamptz NOT NULL DEFAULT now(),
  updated_at                timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX auth_accounts_user ON auth_accounts (user_id);

-- What was sent out and may come back once: links for a new password, states of a sign-in elsewhere.
CREATE TABLE auth_verifications (
  id          uuid PRIMARY KEY,
  identifier  text NOT NULL,
  value       text NOT NULL,
  expires_at  timestamptz NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX auth_verifications_identifier ON auth_verifications (identifier);
CREATE INDEX auth_verifications_expiry ON auth_verifications (expires_at);

CREATE TABLE auth_two_factors (
  id                         uuid PRIMARY KEY,
  user_id                    uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  secret                     text NOT NULL, -- encrypted
  backup_codes               text NOT NULL, -- encrypted
  verified                   boolean DEFAULT true,
  failed_verification_count  integer DEFAULT 0,
  locked_until               timestamptz
);
CREATE INDEX auth_two_factors_user ON auth_two_factors (user_id);

CREATE TABLE auth_passkeys (
  id             text PRIMARY KEY, -- named by requests, which may say anything
  user_id        uuid NOT NULL REFERENCES auth_users (id) ON DELETE CASCADE,
  name           text,
  credential_id  text NOT NULL UNIQUE,
  public_key     text NOT NULL,
  counter        bigint NOT NULL,
  device_type    text NOT NULL,
  backed_up      boolean NOT NULL,
  transports     text,
  aaguid         text,
  created_at     timestamptz
);
CREATE INDEX auth_passkeys_user ON auth_passkeys (user_id);

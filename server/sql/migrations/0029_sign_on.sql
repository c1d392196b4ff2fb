-- Domains of organizations. Several may claim a domain, but only the one that publishes its token in DNS verifies it.
CREATE TABLE organization_domains (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  domain text NOT NULL CHECK (domain = lower(domain)),
  token text NOT NULL,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, domain)
);
CREATE UNIQUE INDEX organization_domains_verified ON organization_domains (domain) WHERE verified_at IS NOT NULL;

-- Identity providers of organizations. An organization can prepare several, and enables one.
CREATE TABLE sign_on_connections (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('oidc', 'saml')),
  name text NOT NULL,
  settings jsonb NOT NULL,
  secret jsonb,
  enabled boolean NOT NULL DEFAULT false,
  enforced boolean NOT NULL DEFAULT false CHECK (enabled OR NOT enforced),
  -- The last test sign-in with the current settings, and when one last succeeded with them.
  last_test jsonb,
  tested_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX sign_on_connections_enabled ON sign_on_connections (organization_id) WHERE enabled;

-- A person at an identity provider is the pair of connection and subject, never an address.
CREATE TABLE sign_on_identities (
  connection_id uuid NOT NULL,
  organization_id uuid NOT NULL,
  subject text NOT NULL,
  user_id uuid NOT NULL,
  -- The group that gave the member their present team and role. Null if none did.
  placed_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (connection_id, subject),
  -- An address that the provider gives to another person does not lead to the account of the first.
  UNIQUE (connection_id, user_id),
  FOREIGN KEY (organization_id, connection_id) REFERENCES sign_on_connections (organization_id, id) ON DELETE CASCADE,
  -- The link ends with the membership.
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organization_id, user_id) ON DELETE CASCADE
);
CREATE INDEX sign_on_identities_member ON sign_on_identities (organization_id, user_id);

-- What membership of a provider's group gives. No group makes an administrator of the organization.
CREATE TABLE sign_on_groups (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  group_name text NOT NULL,
  position integer NOT NULL,
  team_id uuid,
  role text NOT NULL CHECK (role IN ('billing_viewer', 'team_admin', 'member')),
  PRIMARY KEY (organization_id, group_name),
  FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE CASCADE,
  CHECK (role <> 'team_admin' OR team_id IS NOT NULL)
);

-- Sign-ins that have begun, by the hash of their state. Each is taken once.
CREATE TABLE sign_on_attempts (
  state_hash bytea PRIMARY KEY,
  connection_id uuid NOT NULL REFERENCES sign_on_connections (id) ON DELETE CASCADE,
  details jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_on_attempts_expires ON sign_on_attempts (expires_at);

-- Assertions that were used, until they expire.
CREATE TABLE sign_on_assertions (
  connection_id uuid NOT NULL REFERENCES sign_on_connections (id) ON DELETE CASCADE,
  id_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, id_hash)
);
CREATE INDEX sign_on_assertions_expires ON sign_on_assertions (expires_at);

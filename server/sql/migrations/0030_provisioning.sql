-- Tokens with which a directory provisions the people and groups of an organization.
CREATE TABLE scim_tokens (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name text NOT NULL,
  secret_hash bytea NOT NULL UNIQUE,
  prefix text NOT NULL,
  suffix text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- A rotated token expires once the directory had time to change to the new one.
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
CREATE INDEX scim_tokens_organization ON scim_tokens (organization_id, created_at);

-- What the directory says about a member. Members whom it does not know have no row.
CREATE TABLE scim_users (
  member_id uuid PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_name text NOT NULL,
  external_id text,
  email text NOT NULL CHECK (email = lower(email)),
  display_name text,
  given_name text,
  family_name text,
  formatted text,
  -- Whether provisioning created the account. Only then may it change the account's name and address.
  created_account boolean NOT NULL,
  -- The group that gave the member their present team and role. Null if none did.
  placed_by text,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX scim_users_user_name ON scim_users (organization_id, lower(user_name));
CREATE UNIQUE INDEX scim_users_external_id ON scim_users (organization_id, external_id);
CREATE INDEX scim_users_email ON scim_users (organization_id, email);

CREATE TABLE scim_groups (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  display_name text NOT NULL,
  external_id text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX scim_groups_name ON scim_groups (organization_id, lower(display_name));
CREATE UNIQUE INDEX scim_groups_external_id ON scim_groups (organization_id, external_id);

CREATE TABLE scim_group_members (
  group_id uuid NOT NULL REFERENCES scim_groups (id) ON DELETE CASCADE,
  member_id uuid NOT NULL REFERENCES members (id) ON DELETE CASCADE,
  PRIMARY KEY (group_id, member_id)
);
CREATE INDEX scim_group_members_member ON scim_group_members (member_id);

-- The last requests of an organization's directory that were refused, for its administrators.
CREATE TABLE scim_failures (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  at timestamptz NOT NULL DEFAULT now(),
  request text NOT NULL,
  status integer NOT NULL,
  detail text NOT NULL
);
CREATE INDEX scim_failures_organization ON scim_failures (organization_id, id);

ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_actor_kind_check;
ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_actor_kind_check
  CHECK (actor_kind IN ('user', 'key', 'operator', 'system', 'anonymous', 'scim_token')) NOT VALID;

-- An organization has a wallet of its own, teams, and members with one role each. What an organization, a team and a
-- member may set alike (allowed models, a spend breaker, a budget) has the same columns in all three tables.

CREATE TABLE organizations (
  id                   uuid PRIMARY KEY,
  name                 text NOT NULL,
  slug                 text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$'),
  plan                 text NOT NULL DEFAULT 'standard',
  -- Monthly: the wallet may go below zero by its credit line.
  billing_mode         text NOT NULL DEFAULT 'prepaid' CHECK (billing_mode IN ('prepaid', 'monthly')),
  seats                integer CHECK (seats > 0), -- null: as many as they like
  settings             jsonb NOT NULL DEFAULT '{}',
  suspended_at         timestamptz,
  weekly_budget_nano   bigint CHECK (weekly_budget_nano >= 0),
  monthly_budget_nano  bigint CHECK (monthly_budget_nano >= 0),
  allowed_models       text[] NOT NULL DEFAULT '{}',
  -- Each field of a breaker is inherited by itself where it is null.
  breaker_enabled      boolean,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano > 0),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano > 0),
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE teams (
  id                   uuid PRIMARY KEY,
  organization_id      uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name                 text NOT NULL,
  description          text,
  cost_center_code     text,
  permission_scope     text,
  monthly_budget_nano  bigint CHECK (monthly_budget_nano >= 0),
  allowed_models       text[] NOT NULL DEFAULT '{}',
  breaker_enabled      boolean,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano > 0),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano > 0),
  created_at           timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, id)
);
CREATE UNIQUE INDEX teams_name ON teams (organization_id, lower(name));

CREATE TABLE members (
  id                   uuid PRIMARY KEY,
  organization_id      uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id              uuid NOT NULL REFERENCES users (id),
  team_id              uuid,
  role                 text NOT NULL CHECK (role IN ('org_admin', 'billing_viewer', 'team_admin', 'member')),
  monthly_budget_nano  bigint CHECK (monthly_budget_nano >= 0),
  allowed_models       text[] NOT NULL DEFAULT '{}',
  breaker_enabled      boolean,
  breaker_minute_nano  bigint CHECK (breaker_minute_nano > 0),
  breaker_hour_nano    bigint CHECK (breaker_hour_nano > 0),
  joined_at            timestamptz NOT NULL DEFAULT now(),
  updated_at           timestamptz NOT NULL DEFAULT now(),
  UNIQUE (organization_id, user_id),
  FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE SET NULL (team_id),
  -- A team's administrator without a team would administer nothing, or everything.
  CHECK (role <> 'team_admin' OR team_id IS NOT NULL)
);
CREATE INDEX members_user ON members (user_id);
CREATE INDEX members_team ON members (team_id);

-- Keys of an organization. One with a member is that person's; one with a team stops working with the team.
CREATE INDEX api_keys_organization ON api_keys (organization_id) WHERE organization_id IS NOT NULL;
CREATE INDEX api_keys_member ON api_keys (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX api_keys_team ON api_keys (team_id) WHERE team_id IS NOT NULL;
ALTER TABLE api_keys DROP CONSTRAINT api_keys_type_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_type_check CHECK (type IN ('standard', 'management', 'institution'));
ALTER TABLE api_keys ADD CONSTRAINT api_keys_organization_fkey FOREIGN KEY (organization_id) REFERENCES organizations (id);

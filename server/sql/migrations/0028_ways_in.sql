-- What a new member gets where the invitation, the import or the identity provider says nothing. A team's null is
-- inherited from the organization.
ALTER TABLE organizations
  ADD COLUMN default_role text NOT NULL DEFAULT 'member' CHECK (default_role IN ('billing_viewer', 'member')),
  ADD COLUMN default_budget_nano bigint CHECK (default_budget_nano >= 0);
ALTER TABLE teams
  ADD COLUMN default_role text CHECK (default_role IN ('team_admin', 'member')),
  ADD COLUMN default_budget_nano bigint CHECK (default_budget_nano >= 0),
  -- How many API keys each member of the team may create. Null: as many as the organization allows.
  ADD COLUMN member_keys_max integer CHECK (member_keys_max BETWEEN 0 AND 100);

-- Invitations to an organization: one to an address, or an open link that several people use. Its state is computed:
-- revoked, then accepted (all uses taken), then expired, else pending.
CREATE TABLE invitations (
  id                  uuid PRIMARY KEY,
  organization_id     uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  token_hash          bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
  email               text,  -- in lower case; null: an open link
  email_domain        text,  -- of an open link: only addresses of this domain
  name                text,  -- of the person, as the inviter wrote it
  role                text NOT NULL CHECK (role IN ('org_admin', 'billing_viewer', 'team_admin', 'member')),
  team_id             uuid,
  monthly_budget_nano bigint CHECK (monthly_budget_nano >= 0),
  uses_max            integer NOT NULL CHECK (uses_max > 0),
  uses                integer NOT NULL DEFAULT 0 CHECK (uses BETWEEN 0 AND uses_max),
  invited_by          uuid NOT NULL REFERENCES users (id),
  created_at          timestamptz NOT NULL,
  sent_at             timestamptz NOT NULL,  -- when the current token was created
  expires_at          timestamptz NOT NULL,
  accepted_at         timestamptz,           -- the last use
  revoked_at          timestamptz,
  CHECK (email IS NULL OR uses_max = 1 AND email_domain IS NULL),
  FOREIGN KEY (organization_id, team_id) REFERENCES teams (organization_id, id) ON DELETE SET NULL (team_id)
);
-- An address has one open invitation to an organization, which a new one replaces.
CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email)
  WHERE email IS NOT NULL AND revoked_at IS NULL AND uses = 0;
CREATE INDEX invitations_created ON invitations (organization_id, created_at, id);
CREATE INDEX invitations_team ON invitations (team_id);
CREATE INDEX invitations_email ON invitations (email) WHERE email IS NOT NULL;
CREATE INDEX invitations_expires ON invitations (expires_at);

-- The link of an invitation opens an organization, so the emails with it are stored encrypted, as a class of their own.
ALTER TABLE mail_outbox DROP CONSTRAINT mail_outbox_class_check;
ALTER TABLE mail_outbox ADD CONSTRAINT mail_outbox_class_check
  CHECK (class IN ('sign_in', 'institution_code', 'invitation', 'notice', 'billing')) NOT VALID;

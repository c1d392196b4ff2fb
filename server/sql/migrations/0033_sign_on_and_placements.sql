-- The organization through whose identity provider the session began. Null: a password, a passkey or another way.
ALTER TABLE auth_sessions ADD COLUMN sign_on_organization_id uuid;

-- Members whose groups have changed and whose team and role are still to be decided. They are placed in batches.
CREATE TABLE scim_placements (
  member_id uuid PRIMARY KEY REFERENCES members (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- Who changed the groups, for the audit log.
  actor jsonb NOT NULL,
  request_id text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX scim_placements_organization ON scim_placements (organization_id, created_at);

-- Emails about the end of a SAML certificate, each sent once: 30 days, 7 days and 1 day before.
CREATE TABLE sign_on_certificate_notices (
  connection_id uuid NOT NULL REFERENCES sign_on_connections (id) ON DELETE CASCADE,
  certificate_hash bytea NOT NULL CHECK (length(certificate_hash) = 32),
  days integer NOT NULL,
  PRIMARY KEY (connection_id, certificate_hash, days)
);

-- Rules by which an organization blocks, redacts or flags what is sent to models with its keys. At most 100 each, which
-- whoever adds one makes sure of by locking the organization's row.

CREATE TABLE filter_rules (
  id               uuid PRIMARY KEY,
  organization_id  uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name             text NOT NULL,
  enabled          boolean NOT NULL DEFAULT true,
  action           text NOT NULL CHECK (action IN ('block', 'redact', 'flag')),
  matcher          jsonb NOT NULL CHECK (matcher ->> 'kind' IN ('keyword', 'regex', 'template')),
  -- Rules are shown and tried in this order; those of one position by age.
  position         integer NOT NULL DEFAULT 0,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX filter_rules_organization ON filter_rules (organization_id, position, id);

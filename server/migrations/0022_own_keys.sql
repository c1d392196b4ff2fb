-- Organizations' own keys with upstream providers. A call that one of them covers goes to its address and is billed by that
-- provider to the organization itself. At most 100 each, which whoever adds one makes sure of by locking the organization's row.

CREATE TABLE own_keys (
  id                    uuid PRIMARY KEY,
  organization_id       uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name                  text NOT NULL,
  base_url              text NOT NULL,
  credential            jsonb NOT NULL,             -- sealed for this id; never shown again
  key_mask              text NOT NULL,
  protocol              text NOT NULL CHECK (protocol IN ('openai', 'anthropic')),
  fallback_mode         text NOT NULL CHECK (fallback_mode IN ('seamless', 'strict')),
  scoped_key_ids        uuid[] NOT NULL DEFAULT '{}', -- empty: every key of the organization
  enabled               boolean NOT NULL DEFAULT true,
  consecutive_failures  integer NOT NULL DEFAULT 0,
  last_error            text,
  last_checked_at       timestamptz,                -- null: nobody has used it yet
  created_at            timestamptz NOT NULL DEFAULT now(),
  updated_at            timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX own_keys_organization ON own_keys (organization_id, id);

CREATE TABLE own_key_models (
  own_key_id      uuid NOT NULL REFERENCES own_keys (id) ON DELETE CASCADE,
  model_id        text NOT NULL,
  upstream_model  text NOT NULL,
  enabled         boolean NOT NULL DEFAULT true,
  PRIMARY KEY (own_key_id, model_id)
);

INSERT INTO revisions (topic) VALUES ('own_keys');

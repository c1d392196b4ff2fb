-- What moderation has blocked, for operators to look at. The text itself is sealed under the master secret; everything else
-- tells what to look for. Rows are evidence, so they refer to keys and people by id alone and outlive them.

CREATE TABLE moderation_evidence (
  id               uuid PRIMARY KEY, -- of the generation that was not made
  at               timestamptz NOT NULL,
  expires_at       timestamptz NOT NULL,
  key_id           uuid NOT NULL,
  user_id          uuid,
  organization_id  uuid,
  session_id       uuid, -- of an institution
  request_id       text,
  endpoint         text NOT NULL,
  model            text NOT NULL,
  source           text NOT NULL CHECK (source IN ('built-in', 'upstream')),
  categories       text[] NOT NULL,
  content          jsonb NOT NULL
);
CREATE INDEX moderation_evidence_expiry ON moderation_evidence (expires_at);

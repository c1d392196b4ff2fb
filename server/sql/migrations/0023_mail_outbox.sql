-- Every email, added with the change that it tells of. It replaces mail_deliveries and billing_mails: workers move what
-- processes of the release before still add there.
CREATE TABLE mail_outbox (
  id            uuid PRIMARY KEY,
  class         text NOT NULL CHECK (class IN ('sign_in', 'institution_code', 'notice', 'billing')),
  name          text NOT NULL UNIQUE,  -- for the Message-ID; an email is added once for each name
  topic         text,                  -- a later email on the same topic replaces this one while it is open
  user_id       uuid REFERENCES users (id) ON DELETE CASCADE, -- the recipient, whose address is read at each attempt
  address       text,                  -- the recipient that is no user
  subject       text NOT NULL,
  body          text,                  -- encrypted where the class is secret; null once the email is closed
  document_id   uuid REFERENCES billing_documents (id), -- attached as a PDF
  failure_entry jsonb,                 -- appended to the audit log if the email is given up
  attempts      integer NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL DEFAULT clock_timestamp(),
  expires_at    timestamptz NOT NULL,  -- not sent after this
  due_at        timestamptz,           -- null: closed, that is sent or given up
  sent_at       timestamptz,
  last_error    text,
  CONSTRAINT mail_outbox_open CHECK (due_at IS NULL OR body IS NOT NULL AND (user_id IS NULL) <> (address IS NULL))
);
CREATE INDEX mail_outbox_due ON mail_outbox (due_at) WHERE due_at IS NOT NULL;

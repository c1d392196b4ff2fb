-- The customer whose console an operator's session shows at the moment: one at a time. The view ends with the session,
-- which this key says. control/operators/view-customer.ts has the other rules.
CREATE TABLE customer_views (
  session_id uuid PRIMARY KEY REFERENCES auth_sessions (id) ON DELETE CASCADE,
  id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id),
  -- Those whose audit logs say that the view began.
  organization_ids uuid[] NOT NULL,
  begun_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL CHECK (ends_at > begun_at AND ends_at <= begun_at + interval '30 minutes')
);

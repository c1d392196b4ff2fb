-- Circuit breakers of provider accounts that are not closed, as each gateway sees them. Gateways decide by their
-- in-memory state; these rows are for operators. A row is written when a circuit opens and deleted when it closes.
CREATE TABLE provider_circuits (
  account_id     uuid NOT NULL REFERENCES provider_accounts (id) ON DELETE CASCADE,
  upstream_model text NOT NULL,
  gateway        text NOT NULL,        -- host and process
  reason         text NOT NULL,        -- of the last failure, in a word of the gateway's
  opened_at      timestamptz NOT NULL,
  tried_at       timestamptz NOT NULL, -- when it was opened again after a failed probe, at the latest
  PRIMARY KEY (account_id, upstream_model, gateway)
);

-- Disputes and inquiries of banks, by the provider's records, with the deadline of the operator's evidence.
CREATE TABLE payment_disputes (
  provider        text NOT NULL,
  id              text NOT NULL,
  top_up_id       uuid NOT NULL REFERENCES top_ups (id),
  status          text NOT NULL,          -- in the provider's words, such as 'needs_response'
  reason          text NOT NULL,
  amount_minor    bigint NOT NULL,
  currency        text NOT NULL,
  evidence_due_at timestamptz,
  created_at      timestamptz NOT NULL,   -- by the provider's clock
  updated_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (provider, id)
);
CREATE INDEX payment_disputes_top_up ON payment_disputes (top_up_id);

-- Why operators refunded payments. A repeated request has the same key.
CREATE TABLE refund_reasons (
  top_up_id    uuid NOT NULL REFERENCES top_ups (id),
  key          text NOT NULL,
  amount_minor bigint NOT NULL,           -- in the currency of the order
  reason       text NOT NULL,
  author_name  text,
  created_at   timestamptz NOT NULL,
  PRIMARY KEY (top_up_id, key)
);

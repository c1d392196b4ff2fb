-- Months that were processed for an organization with monthly billing. The key ensures that a month is billed once, by
-- any number of workers.
CREATE TABLE invoiced_months (
  wallet_id    uuid NOT NULL,
  month        date NOT NULL CHECK (month = date_trunc('month', month)),
  document_id  uuid UNIQUE REFERENCES billing_documents (id), -- null: nothing was due
  carried_nano bigint NOT NULL DEFAULT 0, -- owed and not billed, which the next month begins with; below zero: credit is left
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (wallet_id, month)
);

-- The state of an invoice. It is changed under the wallet's lock.
CREATE TABLE invoice_states (
  document_id  uuid PRIMARY KEY REFERENCES billing_documents (id),
  number       text NOT NULL UNIQUE,
  wallet_id    uuid NOT NULL,
  credit_nano  bigint NOT NULL CHECK (credit_nano > 0), -- what its payment credits the wallet: the total without tax
  tax_nano     bigint NOT NULL CHECK (tax_nano >= 0),
  tax_percent  numeric(5, 2) NOT NULL CHECK (tax_percent >= 0),
  paid_nano    bigint NOT NULL DEFAULT 0,  -- what its payments have credited and not taken back
  due_at       timestamptz NOT NULL,
  suspends_at  timestamptz,                -- when an unpaid invoice stops spending; null: never
  paid_at      timestamptz,                -- null again where the payment went back
  reminded_at  timestamptz,
  suspended_at timestamptz                 -- null again once it is paid
);
CREATE INDEX invoice_states_open ON invoice_states (wallet_id) WHERE paid_at IS NULL;
CREATE INDEX invoice_states_suspended ON invoice_states (wallet_id) WHERE suspended_at IS NOT NULL;

-- The invoice that an order pays. At most one of its orders is open at a provider.
ALTER TABLE top_ups ADD COLUMN invoice_number text;
CREATE INDEX top_ups_invoice ON top_ups (invoice_number) WHERE invoice_number IS NOT NULL;
CREATE UNIQUE INDEX top_ups_open_invoice ON top_ups (invoice_number) WHERE invoice_number IS NOT NULL AND state = 'open' AND provider <> 'bank';

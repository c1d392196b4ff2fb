-- Billing details of a wallet's owner for receipts and invoices.
CREATE TABLE billing_profiles (
  wallet_id   uuid PRIMARY KEY,
  name        text NOT NULL,
  address     text NOT NULL,
  country     text CHECK (country ~ '^[A-Z]{2}$'),
  tax_id_kind text,
  tax_id      text,
  email       text,                -- where documents are mailed to
  updated_at  timestamptz NOT NULL DEFAULT now(),
  CHECK ((tax_id IS NULL) = (tax_id_kind IS NULL))
);

-- The last number of each series and year. Its row is locked after the order and the wallet, and stays locked until the
-- transaction that took a number commits, so a failed transaction leaves no gap.
CREATE TABLE billing_numbers (
  series text NOT NULL,            -- of one seller; payments of a test mode have a series of their own
  year   integer NOT NULL,
  last   integer NOT NULL CHECK (last > 0),
  PRIMARY KEY (series, year)
);

-- Receipts, credit notes and invoices. A row never changes; later events of a document are stored elsewhere.
CREATE TABLE billing_documents (
  id          uuid PRIMARY KEY,
  series      text NOT NULL,
  year        integer NOT NULL,
  serial      integer NOT NULL CHECK (serial > 0),
  number      text NOT NULL UNIQUE,  -- as people write it
  kind        text NOT NULL CHECK (kind IN ('receipt', 'credit_note', 'invoice')),
  wallet_id   uuid NOT NULL,
  top_up_id   uuid,
  position    integer,               -- of the order's effect that it tells of
  month       date,                  -- that an invoice is for
  currency    text NOT NULL,
  total_minor bigint NOT NULL,       -- in the smallest unit of the currency; of a credit note, below zero
  total_nano  bigint NOT NULL,       -- the same as it was booked, in nano-USD
  snapshot    text NOT NULL,         -- JSON: all that is shown, as it was then
  sha256      text NOT NULL,
  issued_at   timestamptz NOT NULL,
  UNIQUE (series, year, serial),
  CONSTRAINT billing_documents_hash CHECK (sha256 = encode(sha256(convert_to(snapshot, 'UTF8')), 'hex')),
  CHECK ((kind = 'invoice') = (top_up_id IS NULL) AND (top_up_id IS NULL) = (position IS NULL) AND (kind = 'invoice') = (month IS NOT NULL))
);
CREATE UNIQUE INDEX billing_documents_effect ON billing_documents (top_up_id, position) WHERE top_up_id IS NOT NULL;
CREATE UNIQUE INDEX billing_documents_receipt ON billing_documents (top_up_id) WHERE kind = 'receipt';
CREATE UNIQUE INDEX billing_documents_month ON billing_documents (wallet_id, month) WHERE month IS NOT NULL;
CREATE INDEX billing_documents_wallet ON billing_documents (wallet_id, id);
CREATE TRIGGER billing_documents_immutable BEFORE UPDATE OR DELETE ON billing_documents
  FOR EACH ROW EXECUTE FUNCTION refuse_document_change();
CREATE TRIGGER billing_documents_kept BEFORE TRUNCATE ON billing_documents
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_document_change();

-- Pending emails, written in the same transaction as their document. A worker sends each.
CREATE TABLE billing_mails (
  document_id uuid NOT NULL REFERENCES billing_documents (id),
  kind        text NOT NULL CHECK (kind IN ('issued', 'reminder', 'suspended')),
  recipient   text NOT NULL,
  tries       integer NOT NULL DEFAULT 0,
  next_try_at timestamptz DEFAULT now(), -- null: sent or given up
  sent_at     timestamptz,
  PRIMARY KEY (document_id, kind)
);
CREATE INDEX billing_mails_due ON billing_mails (next_try_at) WHERE next_try_at IS NOT NULL;

-- The time from which payments have documents. Earlier bookings have none.
CREATE TABLE billing_start (
  only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  started_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO billing_start DEFAULT VALUES;

-- The rates that the fee and the tax of an order were computed with; null in older orders.
ALTER TABLE top_ups
  ADD COLUMN fee_percent numeric(5, 2) CHECK (fee_percent >= 0),
  ADD COLUMN tax_percent numeric(5, 2) CHECK (tax_percent >= 0);

-- The journal of a closed month as it was when an operator closed it. It never changes.
CREATE TABLE closed_months (
  month date PRIMARY KEY CHECK (month = date_trunc('month', month)),
  closed_at timestamptz NOT NULL,
  journal text NOT NULL,
  sha256 text NOT NULL CHECK (sha256 = encode(sha256(convert_to(journal, 'UTF8')), 'hex'))
);

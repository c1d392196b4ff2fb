-- Catalogue changes that public sources suggest, until an operator approves or rejects them. At most one is pending.
CREATE TABLE catalogue_proposals (
  id             uuid PRIMARY KEY,
  proposed_at    timestamptz NOT NULL,
  base_revision  bigint NOT NULL,   -- of the catalogue that it was compared with; it can be approved only while that is current
  proposal       jsonb NOT NULL     -- sources, rows to import, changes with doubts, and what sources do not agree on
);

-- The imports that changed the catalogue, newest last, each with the models as they were before it, so that an operator
-- can undo it. Prices are never edited: undoing an import adds the former prices as new versions.
CREATE TABLE catalogue_imports (
  id uuid PRIMARY KEY,
  imported_at timestamptz NOT NULL,
  -- The revisions of the catalogue right before and after the import. Undoing the import after it moves the second one.
  base_revision bigint NOT NULL,
  revision bigint NOT NULL,
  before jsonb NOT NULL
);

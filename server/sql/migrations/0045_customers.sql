-- Operators find customers by the beginnings of words in addresses and names. A worker builds the indexes of large
-- tables: see store/postgres/customers/search-indexes.sql.ts.
CREATE INDEX organizations_words ON organizations USING gin
  (array_to_tsvector(array_remove(regexp_split_to_array(lower(slug || ' ' || name), '[[:punct:][:space:]]+'), '')));

-- What operators write about a customer. Customers never see it. The owner is a user or an organization.
CREATE TABLE customer_notes (
  id uuid PRIMARY KEY,
  owner_id uuid NOT NULL,
  text text NOT NULL CHECK (length(text) BETWEEN 1 AND 4000),
  author_kind text NOT NULL,
  author_id uuid,
  author_name text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX customer_notes_owner ON customer_notes (owner_id, id);

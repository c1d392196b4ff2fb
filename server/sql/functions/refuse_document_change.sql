-- Keeps receipts, credit notes and invoices immutable.
CREATE OR REPLACE FUNCTION refuse_document_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a document that was issued never changes';
END $$;

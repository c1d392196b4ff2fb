-- Renames the columns, functions and table of the rollup to the names that the baseline now creates. A database that
-- was created with these names is unchanged. No release has the old names.
-- contract: no release reads or writes the old names.
DO $$
BEGIN
  IF to_regclass('payment_marks') IS NULL THEN
    RETURN;
  END IF;
  ALTER TABLE generations RENAME COLUMN settled_mark TO settled_position;
  ALTER INDEX generations_default_settled_mark_idx RENAME TO generations_default_settled_position_idx;
  ALTER TABLE rollup_state RENAME COLUMN folded_below TO rolled_up_below;
  ALTER TABLE rollup_state RENAME COLUMN mark_offset TO position_offset;
  ALTER FUNCTION settle_mark() RENAME TO settle_position;
  DROP TRIGGER generations_marks ON generations;
  CREATE TRIGGER generations_positions BEFORE INSERT ON generations FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_rolled_up_positions();
  DROP FUNCTION refuse_folded_marks();
  DROP FUNCTION rebase_marks();
  DROP FUNCTION set_mark_offset(bigint);
  ALTER TABLE payment_marks RENAME TO payment_watermarks;
  ALTER INDEX payment_marks_pkey RENAME TO payment_watermarks_pkey;
END $$;

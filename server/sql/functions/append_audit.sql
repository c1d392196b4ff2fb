-- Appends a batch of audit entries in order. It first locks the head of each chain, ordered by chain id, so that two
-- batches cannot deadlock.
CREATE OR REPLACE FUNCTION append_audit(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  item record;
  head audit_heads%ROWTYPE;
  entry audit_entries%ROWTYPE;
BEGIN
  INSERT INTO audit_heads (chain_id, sequence, hash)
    SELECT DISTINCT (e ->> 'chain_id')::uuid, 0, '\x'::bytea FROM jsonb_array_elements(entries) AS e
    ORDER BY 1 ON CONFLICT DO NOTHING;
  PERFORM 1 FROM audit_heads h
    WHERE h.chain_id IN (SELECT (e ->> 'chain_id')::uuid FROM jsonb_array_elements(entries) AS e)
    ORDER BY h.chain_id FOR UPDATE;
  FOR item IN SELECT e.value AS e FROM jsonb_array_elements(entries) WITH ORDINALITY AS e (value, position) ORDER BY e.position
  LOOP
    SELECT * INTO head FROM audit_heads h WHERE h.chain_id = (item.e ->> 'chain_id')::uuid;
    entry := ROW(head.chain_id, head.sequence + 1, (item.e ->> 'id')::uuid, clock_timestamp(), item.e ->> 'actor_kind',
      item.e ->> 'actor_id', item.e ->> 'actor_name', item.e ->> 'action', item.e ->> 'target_kind', item.e ->> 'target_id',
      nullif(item.e -> 'before', 'null'), nullif(item.e -> 'after', 'null'), nullif(item.e -> 'details', 'null'),
      item.e ->> 'request_id', head.hash, '\x'::bytea);
    entry.hash := audit_hash(entry);
    INSERT INTO audit_entries SELECT entry.*;
    UPDATE audit_heads h SET sequence = entry.sequence, hash = entry.hash WHERE h.chain_id = entry.chain_id;
  END LOOP;
END $$;

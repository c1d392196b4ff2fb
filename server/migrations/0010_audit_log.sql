-- Who changed what. Entries are only ever added. Each carries the hash of the one before it in the same chain (an
-- organization's, or the platform's own), so a changed or missing entry shows; `weir audit log` recomputes them.

CREATE TABLE audit_heads (
  chain_id  uuid PRIMARY KEY, -- the organization; all zeros for the platform
  sequence  bigint NOT NULL,
  hash      bytea NOT NULL
);

CREATE TABLE audit_entries (
  chain_id       uuid NOT NULL,
  sequence       bigint NOT NULL,
  id             uuid NOT NULL UNIQUE,
  at             timestamptz NOT NULL,
  actor_kind     text NOT NULL CHECK (actor_kind IN ('user', 'key', 'operator', 'system', 'anonymous')),
  actor_id       text,
  actor_name     text,
  action         text COLLATE "C" NOT NULL, -- so that a prefix is a range of the index
  target_kind    text,
  target_id      text,
  before         jsonb,
  after          jsonb,
  details        jsonb,
  request_id     text,
  previous_hash  bytea NOT NULL,
  hash           bytea NOT NULL,
  PRIMARY KEY (chain_id, sequence)
);
CREATE INDEX audit_entries_action ON audit_entries (chain_id, action, sequence);
CREATE INDEX audit_entries_actor ON audit_entries (chain_id, actor_id, sequence) WHERE actor_id IS NOT NULL;
CREATE INDEX audit_entries_at ON audit_entries (chain_id, at);

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- The hash covers the previous hash and every column. Each has one text form, whatever the settings of the session: jsonb's
-- own, and seconds with six decimals for the time. `domain/audit/hash-entry.ts` computes the same without Postgres.
CREATE FUNCTION audit_hash(entry audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.previous_hash || convert_to(jsonb_build_array(
    entry.chain_id, entry.sequence, entry.id, extract(epoch FROM entry.at)::text, entry.actor_kind, entry.actor_id,
    entry.actor_name, entry.action, entry.target_kind, entry.target_id, entry.before, entry.after, entry.details,
    entry.request_id)::text, 'UTF8'))
$$;

-- Appends a batch, in order. The head of each chain is locked first, in one order for all callers.
CREATE FUNCTION append_audit(entries jsonb) RETURNS void LANGUAGE plpgsql AS $$
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

-- The hash covers the previous hash and every column. Each column has one text form that no session setting changes:
-- jsonb's own, and seconds with six decimals for the time. `domain/audit/verify-chain.ts` computes the same without
-- Postgres.
CREATE OR REPLACE FUNCTION audit_hash(entry audit_entries) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.previous_hash || convert_to(jsonb_build_array(
    entry.chain_id, entry.sequence, entry.id, extract(epoch FROM entry.at)::text, entry.actor_kind, entry.actor_id,
    entry.actor_name, entry.action, entry.target_kind, entry.target_id, entry.before, entry.after, entry.details,
    entry.request_id)::text, 'UTF8'))
$$;

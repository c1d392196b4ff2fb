-- Releases holds whose lease has expired, because their process is gone. Locks as `place_holds` does. Returns the
-- number of released holds. Open holds are few, so they are scanned without an index; JIT would compile the scan each
-- time.
CREATE OR REPLACE FUNCTION sweep_holds(at_most integer) RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off SET jit = off AS $$
DECLARE
  lapsed uuid[];
  swept integer;
BEGIN
  SELECT array_agg(c.id) INTO lapsed FROM (
    SELECT h.id FROM holds h WHERE h.lease_until < clock_timestamp() ORDER BY h.lease_until LIMIT at_most) AS c;
  IF lapsed IS NULL THEN RETURN 0; END IF;
  PERFORM 1 FROM wallets w WHERE w.id IN (SELECT h.wallet_id FROM holds h WHERE h.id = ANY (lapsed))
    ORDER BY w.id FOR NO KEY UPDATE;
  PERFORM 1 FROM spend_windows s
    JOIN (SELECT DISTINCT x.kind, x.owner, x.starts_at FROM holds h,
            unnest(h.window_kinds, h.window_owners, h.window_starts) AS x (kind, owner, starts_at)
          WHERE h.id = ANY (lapsed)) AS n
      ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
  WITH closed AS (
    -- The lease is checked again under the locks, because the owner may have renewed it. A hold that is being settled
    -- is skipped, because its settle deletes it before it locks the wallet: waiting for it would be a deadlock.
    DELETE FROM holds h WHERE h.id IN (
      SELECT l.id FROM holds l WHERE l.id = ANY (lapsed) AND l.lease_until < clock_timestamp() FOR UPDATE SKIP LOCKED)
    RETURNING h.*
  ), noted AS (
    INSERT INTO lapsed_holds (id, wallet_id, key_id, amount_nano)
    SELECT c.id, c.wallet_id, c.key_id, c.amount_nano FROM closed c ON CONFLICT DO NOTHING
  ), windows AS (
    UPDATE spend_windows s SET held_nano = s.held_nano - n.held
    FROM (SELECT x.kind, x.owner, x.starts_at, sum(CASE WHEN is_breaker(x.kind) THEN c.estimate_nano ELSE c.amount_nano END)::bigint AS held
          FROM closed c, unnest(c.window_kinds, c.window_owners, c.window_starts) AS x (kind, owner, starts_at) GROUP BY 1, 2, 3) AS n
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
  ), returned AS (
    UPDATE wallets w SET held_nano = w.held_nano - n.held
    FROM (SELECT c.wallet_id, sum(c.amount_nano)::bigint AS held FROM closed c WHERE NOT is_prepaid(c.window_kinds) GROUP BY 1) AS n
    WHERE w.id = n.wallet_id
  )
  SELECT count(*) INTO swept FROM closed;
  RETURN swept;
END $$;

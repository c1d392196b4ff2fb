-- Raises one open hold towards a total, as far as the wallet and the limits have room, and names the scope that was
-- short. Returns no row if the hold no longer exists or is being settled. A hold cannot grow while other holds fill a
-- breaker; the growth itself does not count in breakers. Expired credit does not count as room. A hold that a
-- customer's balance pays for takes nothing of its wallet, as in `place_holds`.
CREATE OR REPLACE FUNCTION extend_hold(extended uuid, total bigint, kinds text[], owners uuid[], starts bigint[], limits bigint[], lease_ms integer)
RETURNS TABLE (total_nano bigint, refused_by text) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  hold holds%ROWTYPE;
  more bigint;
  short record;
  taken bigint;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = (SELECT h.wallet_id FROM holds h WHERE h.id = extended) FOR NO KEY UPDATE;
  -- Locks the windows that the hold was placed with, because they count its growth, and the windows of the current
  -- limits.
  PERFORM 1 FROM spend_windows s
    JOIN (SELECT x.kind, x.owner, x.starts_at FROM holds h, unnest(h.window_kinds, h.window_owners, h.window_starts) AS x (kind, owner, starts_at)
          WHERE h.id = extended
          UNION SELECT u.kind, u.owner, u.starts_at FROM unnest(kinds, owners, starts) AS u (kind, owner, starts_at)) AS n
      ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
  -- A settle deletes its hold before it locks the wallet. Waiting for it here would be a deadlock.
  SELECT * INTO hold FROM holds h WHERE h.id = extended FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN; END IF;
  more := greatest(total - hold.amount_nano, 0);
  SELECT x.* INTO short FROM (
    SELECT 'wallet' AS scope, w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano AS room FROM wallets w
    WHERE w.id = hold.wallet_id AND (NOT is_prepaid(hold.window_kinds)
      OR w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano < 0)
    UNION ALL
    SELECT u.kind, CASE WHEN NOT is_breaker(u.kind) THEN u.cap - s.spent_nano - s.held_nano
        WHEN s.spent_nano + s.held_nano - hold.estimate_nano >= u.cap THEN 0 END
    FROM unnest(kinds, owners, starts, limits) AS u (kind, owner, starts_at, cap)
    JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
  ) AS x WHERE x.room < more ORDER BY x.room, x.scope LIMIT 1;
  taken := CASE WHEN FOUND THEN greatest(short.room, 0) ELSE more END;
  IF taken > 0 THEN
    UPDATE wallets w SET held_nano = w.held_nano + taken WHERE w.id = hold.wallet_id AND NOT is_prepaid(hold.window_kinds);
    UPDATE spend_windows s SET held_nano = s.held_nano + taken
      FROM unnest(hold.window_kinds, hold.window_owners, hold.window_starts) AS u (kind, owner, starts_at)
      WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at AND NOT is_breaker(s.kind);
    UPDATE holds h SET amount_nano = h.amount_nano + taken,
        lease_until = greatest(h.lease_until, clock_timestamp() + lease_ms * interval '1 millisecond')
      WHERE h.id = extended;
  END IF;
  RETURN QUERY SELECT hold.amount_nano + taken, short.scope;
END $$;

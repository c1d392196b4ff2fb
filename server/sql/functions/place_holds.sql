-- Checks a batch of holds against their wallets and every limited window. Each hold is granted fully or not at all.
--
-- Rows are locked in one order (wallets by id, windows by key, then holds), so batches of several processes cannot
-- deadlock; the caller still retries 40P01. The wallet's lock serializes all spend of an organization. Sequential scans
-- are off: these tables churn, and a plan made for a small table must not scan it after it has grown.
--
-- If a wallet or window has room for everything the batch requests, set statements handle it. Otherwise, holds that
-- would not fit even alone are rejected together, because room only shrinks during a batch; the rest is checked one by
-- one, in the given order. A breaker rejects once spend and estimates have reached it, however small the hold.
--
-- Expired credit counts as spent, although requests may still hold it.
--
-- A hold that a customer's balance pays for takes nothing of its wallet, which has put this money aside already. Its
-- window `customer_balance` limits it. It is rejected if the wallet, after a dispute, lacks money that it put aside.
--
-- A hold whose wish exceeds its amount is told how much room is left. If it also has a comfort, its upstream cannot be
-- metered while it runs, so it takes more at once: up to its comfort, or an eighth of the room beyond sixteen comforts,
-- never more than its wish.
CREATE OR REPLACE FUNCTION place_holds(
  ids uuid[], hold_wallets uuid[], hold_keys uuid[], amounts bigint[], lease_ms integer, is_retry boolean,
  window_holds uuid[], kinds text[], owners uuid[], starts bigint[], limits bigint[],
  estimates bigint[] DEFAULT NULL, wishes bigint[] DEFAULT NULL, comforts bigint[] DEFAULT NULL
) RETURNS TABLE (hold_id uuid, refused_by text, room_nano bigint, granted_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  already uuid[] := '{}';
  -- Each requested window once, with the sum of the requested amounts and the smallest of its limits.
  asked_kinds text[];
  asked_owners uuid[];
  asked_starts bigint[];
  asked_amounts numeric[];
  asked_limits bigint[];
  short_wallets uuid[];
  short_kinds text[];
  short_owners uuid[];
  short_starts bigint[];
  tight uuid[] := '{}';
  refused uuid[];
  refused_scopes text[];
  refused_rooms bigint[];
  hold record;
  short record;
  -- The holds that customers' balances pay for, and what each hold takes of its wallet.
  prepaid uuid[] := '{}';
  wallet_amounts bigint[] := amounts;
  -- The granted amount of each hold, in the order of ids; for holds with a larger wish, the room that is left.
  totals bigint[] := amounts;
  wishing uuid[];
  wishing_more bigint[];
  wishing_rooms bigint[];
BEGIN
  IF estimates IS NULL THEN estimates := amounts; END IF;
  IF is_prepaid(kinds) THEN
    SELECT array_agg(u.id) INTO prepaid FROM unnest(window_holds, kinds) AS u (id, kind) WHERE is_prepaid(ARRAY[u.kind]);
    SELECT array_agg(CASE WHEN a.id = ANY (prepaid) THEN 0 ELSE a.amount END ORDER BY a.position) INTO wallet_amounts
    FROM unnest(ids, amounts) WITH ORDINALITY AS a (id, amount, position);
  END IF;
  WITH locked AS (
    SELECT w.id, w.balance_nano + w.credit_line_nano - w.expired_nano AS funds, w.held_nano FROM wallets w
    WHERE w.id = ANY (hold_wallets) ORDER BY w.id FOR NO KEY UPDATE
  )
  SELECT array_agg(x.wallet_id) INTO short_wallets FROM (
    SELECT a.wallet_id FROM unnest(hold_wallets, wallet_amounts) AS a (wallet_id, amount) LEFT JOIN locked l ON l.id = a.wallet_id
    GROUP BY a.wallet_id, l.id, l.funds, l.held_nano
    HAVING l.id IS NULL OR l.funds <= 0 OR l.funds - l.held_nano < sum(a.amount)) AS x;
  -- The first try of a retried batch may have been committed. This reads under the locks, because that try may still be
  -- running.
  IF is_retry THEN
    already := coalesce((SELECT array_agg(h.id) FROM holds h WHERE h.id = ANY (ids)), '{}');
  END IF;

  IF cardinality(kinds) > 0 THEN
    SELECT array_agg(x.kind), array_agg(x.owner), array_agg(x.starts_at), array_agg(x.amount), array_agg(x.cap)
      INTO asked_kinds, asked_owners, asked_starts, asked_amounts, asked_limits
    FROM (SELECT u.kind, u.owner, u.starts_at, sum(CASE WHEN is_breaker(u.kind) THEN a.estimate ELSE a.amount END) AS amount, min(u.cap) AS cap
          FROM unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap)
          JOIN unnest(ids, amounts, estimates) AS a (id, amount, estimate) ON a.id = u.id
          WHERE NOT a.id = ANY (already) GROUP BY 1, 2, 3) AS x;
    PERFORM open_windows(asked_kinds, asked_owners, asked_starts);
    SELECT array_agg(n.kind), array_agg(n.owner), array_agg(n.starts_at) INTO short_kinds, short_owners, short_starts
    FROM unnest(asked_kinds, asked_owners, asked_starts, asked_amounts, asked_limits) AS n (kind, owner, starts_at, amount, cap)
    JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    WHERE CASE WHEN is_breaker(n.kind) THEN s.spent_nano + s.held_nano + n.amount >= n.cap
      ELSE s.spent_nano + s.held_nano + n.amount > n.cap END;
  END IF;

  IF short_wallets IS NOT NULL OR short_kinds IS NOT NULL THEN
    SELECT coalesce(array_agg(a.id), '{}') INTO tight FROM unnest(ids, hold_wallets) AS a (id, wallet_id)
    WHERE NOT a.id = ANY (already) AND (a.wallet_id = ANY (short_wallets) OR a.id IN (
      SELECT u.id FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
      JOIN unnest(short_kinds, short_owners, short_starts) AS x (kind, owner, starts_at)
        ON x.kind = u.kind AND x.owner = u.owner AND x.starts_at = u.starts_at));
  END IF;

  -- The room beyond the whole batch is shared equally among the holds with a larger wish.
  IF wishes IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.room), array_agg(CASE WHEN x.comfort IS NULL THEN 0 ELSE
        greatest(least(x.wish - x.amount, x.share, greatest(x.comfort - x.amount, floor((x.share - 16::numeric * x.comfort) / 8))), 0)::bigint END)
      INTO wishing, wishing_rooms, wishing_more
    FROM (
      SELECT a.id, a.amount, a.wish, a.comfort,
        greatest(least(w.room, n.room), 0)::bigint AS room, greatest(floor(least(w.room / w.sharers, n.share)), 0)::bigint AS share
      FROM unnest(ids, hold_wallets, amounts, wishes, comforts) AS a (id, wallet_id, amount, wish, comfort)
      LEFT JOIN (
        SELECT o.id, o.balance_nano + o.credit_line_nano - o.expired_nano - o.held_nano - sum(b.amount) AS room,
          greatest(count(*) FILTER (WHERE b.wish > b.amount), 1) AS sharers
        FROM unnest(ids, hold_wallets, amounts, wishes) AS b (id, wallet_id, amount, wish)
        JOIN wallets o ON o.id = b.wallet_id WHERE NOT b.id = ANY (already || prepaid) GROUP BY o.id
      ) AS w ON w.id = a.wallet_id AND NOT a.id = ANY (prepaid)
      LEFT JOIN (
        SELECT u.id, min(r.room) AS room, min(r.room / r.sharers) AS share
        FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
        JOIN (
          SELECT q.kind, q.owner, q.starts_at, min(q.cap) - s.spent_nano - s.held_nano - sum(b.amount) AS room,
            greatest(count(*) FILTER (WHERE b.wish > b.amount), 1) AS sharers
          FROM unnest(window_holds, kinds, owners, starts, limits) AS q (id, kind, owner, starts_at, cap)
          JOIN unnest(ids, amounts, wishes) AS b (id, amount, wish) ON b.id = q.id
          JOIN spend_windows s ON s.kind = q.kind AND s.owner_id = q.owner AND s.starts_at = q.starts_at
          WHERE NOT is_breaker(q.kind) AND NOT b.id = ANY (already)
          GROUP BY 1, 2, 3, s.spent_nano, s.held_nano
        ) AS r ON r.kind = u.kind AND r.owner = u.owner AND r.starts_at = u.starts_at
        GROUP BY u.id
      ) AS n ON n.id = a.id
      WHERE a.wish > a.amount AND NOT a.id = ANY (tight) AND NOT a.id = ANY (already)
    ) AS x;
    IF wishing IS NOT NULL THEN
      SELECT array_agg(a.amount + coalesce(g.more, 0) ORDER BY a.position) INTO totals
      FROM unnest(ids, amounts) WITH ORDINALITY AS a (id, amount, position)
      LEFT JOIN unnest(wishing, wishing_more) AS g (id, more) ON g.id = a.id;
    END IF;
  END IF;

  -- Grants all holds with enough room in one statement.
  WITH granted AS (
    INSERT INTO holds AS h (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until, window_kinds, window_owners, window_starts)
    SELECT a.id, a.wallet_id, a.key_id, a.amount, a.estimate, clock_timestamp() + lease_ms * interval '1 millisecond',
      w.window_kinds, w.window_owners, w.window_starts
    FROM unnest(ids, hold_wallets, hold_keys, totals, estimates) AS a (id, wallet_id, key_id, amount, estimate)
    LEFT JOIN (
      SELECT u.id, array_agg(u.kind) AS window_kinds, array_agg(u.owner) AS window_owners, array_agg(u.starts_at) AS window_starts
      FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at) GROUP BY u.id
    ) AS w ON w.id = a.id
    WHERE NOT a.id = ANY (tight) AND NOT a.id = ANY (already)
    RETURNING h.wallet_id, h.amount_nano, h.window_kinds
  )
  UPDATE wallets w SET held_nano = w.held_nano + n.amount
  FROM (SELECT g.wallet_id, sum(g.amount_nano)::bigint AS amount FROM granted g WHERE NOT is_prepaid(g.window_kinds) GROUP BY 1) AS n
  WHERE w.id = n.wallet_id;
  IF cardinality(kinds) > 0 AND cardinality(tight) = 0 AND wishing IS NULL THEN
    UPDATE spend_windows s SET held_nano = s.held_nano + n.amount
    FROM unnest(asked_kinds, asked_owners, asked_starts, asked_amounts) AS n (kind, owner, starts_at, amount)
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at;
  ELSIF cardinality(kinds) > 0 THEN
    UPDATE spend_windows s SET held_nano = s.held_nano + n.amount
    FROM (SELECT u.kind, u.owner, u.starts_at, sum(CASE WHEN is_breaker(u.kind) THEN a.estimate ELSE a.amount END)::bigint AS amount
          FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
          JOIN unnest(ids, totals, estimates) AS a (id, amount, estimate) ON a.id = u.id
          WHERE NOT a.id = ANY (tight) AND NOT a.id = ANY (already) GROUP BY 1, 2, 3) AS n
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at;
  END IF;
  RETURN QUERY SELECT u.id, NULL::text, g.room, u.total FROM unnest(ids, totals) AS u (id, total)
    LEFT JOIN unnest(wishing, wishing_rooms) AS g (id, room) ON g.id = u.id
    WHERE NOT u.id = ANY (tight) AND NOT u.id = ANY (already);
  IF cardinality(already) > 0 THEN
    RETURN QUERY SELECT h.id, NULL::text, NULL::bigint, h.amount_nano FROM holds h WHERE h.id = ANY (already);
  END IF;
  IF cardinality(tight) = 0 THEN RETURN; END IF;

  -- Rejects the holds that do not fit even alone. A short wallet is named first, then the window with the least room.
  SELECT array_agg(x.id), array_agg(x.scope), array_agg(x.room) INTO refused, refused_scopes, refused_rooms FROM (
    SELECT DISTINCT ON (f.id) f.id, f.scope, greatest(f.room, 0) AS room FROM (
      SELECT a.id, 'wallet' AS scope, 0 AS rank, coalesce(w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano, 0) AS room
      FROM unnest(ids, hold_wallets, wallet_amounts) AS a (id, wallet_id, amount) JOIN unnest(tight) AS t (id) ON t.id = a.id
      LEFT JOIN wallets w ON w.id = a.wallet_id
      WHERE w.id IS NULL OR w.balance_nano + w.credit_line_nano - w.expired_nano <= 0
        OR w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano < a.amount
      UNION ALL
      SELECT a.id, u.kind, 1, u.cap - s.spent_nano - s.held_nano
      FROM unnest(ids, amounts) AS a (id, amount) JOIN unnest(tight) AS t (id) ON t.id = a.id
      JOIN unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap) ON u.id = a.id
      JOIN unnest(short_kinds, short_owners, short_starts) AS x (kind, owner, starts_at)
        ON x.kind = u.kind AND x.owner = u.owner AND x.starts_at = u.starts_at
      JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
      WHERE CASE WHEN is_breaker(u.kind) THEN s.spent_nano + s.held_nano >= u.cap
        ELSE s.spent_nano + s.held_nano + a.amount > u.cap END
    ) AS f ORDER BY f.id, f.rank, f.room, f.scope) AS x;
  IF refused IS NOT NULL THEN
    RETURN QUERY SELECT u.id, u.scope, u.room, NULL::bigint FROM unnest(refused, refused_scopes, refused_rooms) AS u (id, scope, room);
    IF cardinality(refused) = cardinality(tight) THEN RETURN; END IF;
  END IF;

  -- Checks the remaining holds one by one, exactly, in order.
  FOR hold IN
    SELECT a.*, w.kinds, w.owners, w.starts, w.caps
    FROM unnest(ids, hold_wallets, hold_keys, amounts, wallet_amounts, estimates) WITH ORDINALITY
      AS a (id, wallet_id, key_id, amount, wallet_amount, estimate, position)
    JOIN unnest(tight) AS t (id) ON t.id = a.id
    LEFT JOIN (
      SELECT u.id, array_agg(u.kind) AS kinds, array_agg(u.owner) AS owners, array_agg(u.starts_at) AS starts, array_agg(u.cap) AS caps
      FROM unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap) GROUP BY u.id
    ) AS w ON w.id = a.id
    LEFT JOIN unnest(refused) AS r (id) ON r.id = a.id
    WHERE r.id IS NULL ORDER BY a.position
  LOOP
    SELECT x.* INTO short FROM (
      SELECT 'wallet' AS scope, 0 AS rank, w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano AS room
      FROM wallets w WHERE w.id = hold.wallet_id AND w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano < hold.wallet_amount
      UNION ALL
      SELECT u.kind, 1, u.cap - s.spent_nano - s.held_nano
      FROM unnest(hold.kinds, hold.owners, hold.starts, hold.caps) AS u (kind, owner, starts_at, cap)
      JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
      WHERE CASE WHEN is_breaker(u.kind) THEN s.spent_nano + s.held_nano >= u.cap
        ELSE s.spent_nano + s.held_nano + hold.amount > u.cap END
    ) AS x ORDER BY x.rank, x.room, x.scope LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT hold.id, short.scope, greatest(short.room, 0)::bigint, NULL::bigint;
      CONTINUE;
    END IF;
    UPDATE wallets w SET held_nano = w.held_nano + hold.wallet_amount WHERE w.id = hold.wallet_id;
    UPDATE spend_windows s SET held_nano = s.held_nano + CASE WHEN is_breaker(s.kind) THEN hold.estimate ELSE hold.amount END
      FROM unnest(hold.kinds, hold.owners, hold.starts) AS u (kind, owner, starts_at)
      WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at;
    INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until, window_kinds, window_owners, window_starts)
      VALUES (hold.id, hold.wallet_id, hold.key_id, hold.amount, hold.estimate, clock_timestamp() + lease_ms * interval '1 millisecond',
        hold.kinds, hold.owners, hold.starts);
    RETURN QUERY SELECT hold.id, NULL::text, 0::bigint, hold.amount;
  END LOOP;
END $$;

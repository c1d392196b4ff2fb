-- No charge takes a wallet, a cap, a budget or a quota beyond its limit: a charge is never above its hold. Holds grow to what is
-- still there and never beyond; what they can not cover is the operator's loss, and is written down as such.

-- What a request came to beyond what could be charged, and whether its usage was too large to be believed.
ALTER TABLE generations ADD COLUMN absorbed_nano bigint NOT NULL DEFAULT 0, ADD COLUMN usage_doubted boolean NOT NULL DEFAULT false;

-- What a hold counts for in spend breakers: its opening estimate. Breakers speak of spend, and most calls spend far less than
-- the worst that is held for them.
ALTER TABLE holds ADD COLUMN estimate_nano bigint CHECK (estimate_nano >= 0);
UPDATE holds SET estimate_nano = amount_nano;
ALTER TABLE holds ALTER COLUMN estimate_nano SET NOT NULL;

CREATE FUNCTION is_breaker(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN kind LIKE '%\_minute' OR kind LIKE '%\_hour';

-- Judges a batch of holds over their wallets and every limited window, all or none for each hold.
-- Where a wallet or window has room for all that the batch asks of it, set statements finish it. Of the holds that touch one
-- without that room, those that would not fit even alone are refused together, for room only shrinks while a batch is
-- judged; what is left is judged one by one, in the order given.
-- A breaker refuses once spend and estimates have reached it, whatever a hold asks for itself.
-- A hold with a wish above its amount is told what room is left. Where it has a comfort as well, its upstream can not be watched, and
-- it takes more at once: up to its comfort, or an eighth of what is left beyond sixteen comforts, and never beyond its wish.
DROP FUNCTION place_holds(uuid[], uuid[], uuid[], bigint[], integer, boolean, uuid[], text[], uuid[], bigint[], bigint[]);
CREATE FUNCTION place_holds(
  ids uuid[], hold_wallets uuid[], hold_keys uuid[], amounts bigint[], lease_ms integer, is_retry boolean,
  window_holds uuid[], kinds text[], owners uuid[], starts bigint[], limits bigint[],
  estimates bigint[] DEFAULT NULL, wishes bigint[] DEFAULT NULL, comforts bigint[] DEFAULT NULL
) RETURNS TABLE (hold_id uuid, refused_by text, room_nano bigint, granted_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  already uuid[] := '{}';
  -- Each window that is asked for once, with all that is asked of it and the least of its limits.
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
  -- What each hold gets, in the order of ids, and of those that wished for more, the room that is left.
  totals bigint[] := amounts;
  wishing uuid[];
  wishing_more bigint[];
  wishing_rooms bigint[];
BEGIN
  IF estimates IS NULL THEN estimates := amounts; END IF;
  WITH locked AS (
    SELECT w.id, w.balance_nano + w.credit_line_nano AS funds, w.held_nano FROM wallets w
    WHERE w.id = ANY (hold_wallets) ORDER BY w.id FOR NO KEY UPDATE
  )
  SELECT array_agg(x.wallet_id) INTO short_wallets FROM (
    SELECT a.wallet_id FROM unnest(hold_wallets, amounts) AS a (wallet_id, amount) LEFT JOIN locked l ON l.id = a.wallet_id
    GROUP BY a.wallet_id, l.id, l.funds, l.held_nano
    HAVING l.id IS NULL OR l.funds <= 0 OR l.funds - l.held_nano < sum(a.amount)) AS x;
  -- A retried batch may have been committed the first time; looked at under the locks, for that try may still be running.
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

  -- What is left beside all that the batch asks for, in equal shares among those who wish for more.
  IF wishes IS NOT NULL THEN
    SELECT array_agg(x.id), array_agg(x.room), array_agg(CASE WHEN x.comfort IS NULL THEN 0 ELSE
        greatest(least(x.wish - x.amount, x.share, greatest(x.comfort - x.amount, floor((x.share - 16::numeric * x.comfort) / 8))), 0)::bigint END)
      INTO wishing, wishing_rooms, wishing_more
    FROM (
      SELECT a.id, a.amount, a.wish, a.comfort,
        greatest(least(w.room, n.room), 0)::bigint AS room, greatest(floor(least(w.room / w.sharers, n.share)), 0)::bigint AS share
      FROM unnest(ids, hold_wallets, amounts, wishes, comforts) AS a (id, wallet_id, amount, wish, comfort)
      JOIN (
        SELECT o.id, o.balance_nano + o.credit_line_nano - o.held_nano - sum(b.amount) AS room,
          greatest(count(*) FILTER (WHERE b.wish > b.amount), 1) AS sharers
        FROM unnest(ids, hold_wallets, amounts, wishes) AS b (id, wallet_id, amount, wish)
        JOIN wallets o ON o.id = b.wallet_id WHERE NOT b.id = ANY (already) GROUP BY o.id
      ) AS w ON w.id = a.wallet_id
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

  -- Roomy holds, all at once.
  WITH granted AS (
    INSERT INTO holds AS h (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until, window_kinds, window_owners, window_starts)
    SELECT a.id, a.wallet_id, a.key_id, a.amount, a.estimate, clock_timestamp() + lease_ms * interval '1 millisecond',
      coalesce(w.window_kinds, '{}'), coalesce(w.window_owners, '{}'), coalesce(w.window_starts, '{}')
    FROM unnest(ids, hold_wallets, hold_keys, totals, estimates) AS a (id, wallet_id, key_id, amount, estimate)
    LEFT JOIN (
      SELECT u.id, array_agg(u.kind) AS window_kinds, array_agg(u.owner) AS window_owners, array_agg(u.starts_at) AS window_starts
      FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at) GROUP BY u.id
    ) AS w ON w.id = a.id
    WHERE NOT a.id = ANY (tight) AND NOT a.id = ANY (already)
    RETURNING h.wallet_id, h.amount_nano
  )
  UPDATE wallets w SET held_nano = w.held_nano + n.amount
  FROM (SELECT g.wallet_id, sum(g.amount_nano)::bigint AS amount FROM granted g GROUP BY 1) AS n
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

  -- Holds that do not fit as it is: a wallet that is short is named first, then the window with the least room.
  SELECT array_agg(x.id), array_agg(x.scope), array_agg(x.room) INTO refused, refused_scopes, refused_rooms FROM (
    SELECT DISTINCT ON (f.id) f.id, f.scope, greatest(f.room, 0) AS room FROM (
      SELECT a.id, 'wallet' AS scope, 0 AS rank, coalesce(w.balance_nano + w.credit_line_nano - w.held_nano, 0) AS room
      FROM unnest(ids, hold_wallets, amounts) AS a (id, wallet_id, amount) JOIN unnest(tight) AS t (id) ON t.id = a.id
      LEFT JOIN wallets w ON w.id = a.wallet_id
      WHERE w.id IS NULL OR w.balance_nano + w.credit_line_nano <= 0
        OR w.balance_nano + w.credit_line_nano - w.held_nano < a.amount
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

  -- The rest, exactly, in order.
  FOR hold IN
    SELECT a.*, w.kinds, w.owners, w.starts, w.caps
    FROM unnest(ids, hold_wallets, hold_keys, amounts, estimates) WITH ORDINALITY AS a (id, wallet_id, key_id, amount, estimate, position)
    JOIN unnest(tight) AS t (id) ON t.id = a.id
    LEFT JOIN (
      SELECT u.id, array_agg(u.kind) AS kinds, array_agg(u.owner) AS owners, array_agg(u.starts_at) AS starts, array_agg(u.cap) AS caps
      FROM unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap) GROUP BY u.id
    ) AS w ON w.id = a.id
    LEFT JOIN unnest(refused) AS r (id) ON r.id = a.id
    WHERE r.id IS NULL ORDER BY a.position
  LOOP
    SELECT x.* INTO short FROM (
      SELECT 'wallet' AS scope, 0 AS rank, w.balance_nano + w.credit_line_nano - w.held_nano AS room
      FROM wallets w WHERE w.id = hold.wallet_id AND w.balance_nano + w.credit_line_nano - w.held_nano < hold.amount
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
    UPDATE wallets w SET held_nano = w.held_nano + hold.amount WHERE w.id = hold.wallet_id;
    UPDATE spend_windows s SET held_nano = s.held_nano + CASE WHEN is_breaker(s.kind) THEN hold.estimate ELSE hold.amount END
      FROM unnest(hold.kinds, hold.owners, hold.starts) AS u (kind, owner, starts_at)
      WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at;
    INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until, window_kinds, window_owners, window_starts)
      VALUES (hold.id, hold.wallet_id, hold.key_id, hold.amount, hold.estimate, clock_timestamp() + lease_ms * interval '1 millisecond',
        coalesce(hold.kinds, '{}'), coalesce(hold.owners, '{}'), coalesce(hold.starts, '{}'));
    RETURN QUERY SELECT hold.id, NULL::text, 0::bigint, hold.amount;
  END LOOP;
END $$;

-- Raises one open hold towards a total, as far as wallet and limits have the room; names what was short of it. No row for a hold
-- that is gone. A breaker that others have filled lets no hold grow; what this hold has grown by does not count in breakers.
DROP FUNCTION extend_hold(uuid, bigint, text[], uuid[], bigint[], bigint[], integer);
CREATE FUNCTION extend_hold(extended uuid, total bigint, kinds text[], owners uuid[], starts bigint[], limits bigint[], lease_ms integer)
RETURNS TABLE (total_nano bigint, refused_by text) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  hold holds%ROWTYPE;
  more bigint;
  short record;
  taken bigint;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = (SELECT h.wallet_id FROM holds h WHERE h.id = extended) FOR NO KEY UPDATE;
  -- Those it was placed with, which its growth counts in, beside those it is judged by.
  PERFORM 1 FROM spend_windows s
    JOIN (SELECT x.kind, x.owner, x.starts_at FROM holds h, unnest(h.window_kinds, h.window_owners, h.window_starts) AS x (kind, owner, starts_at)
          WHERE h.id = extended
          UNION SELECT u.kind, u.owner, u.starts_at FROM unnest(kinds, owners, starts) AS u (kind, owner, starts_at)) AS n
      ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
  SELECT * INTO hold FROM holds h WHERE h.id = extended FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  more := greatest(total - hold.amount_nano, 0);
  SELECT x.* INTO short FROM (
    SELECT 'wallet' AS scope, w.balance_nano + w.credit_line_nano - w.held_nano AS room FROM wallets w WHERE w.id = hold.wallet_id
    UNION ALL
    SELECT u.kind, CASE WHEN NOT is_breaker(u.kind) THEN u.cap - s.spent_nano - s.held_nano
        WHEN s.spent_nano + s.held_nano - hold.estimate_nano >= u.cap THEN 0 END
    FROM unnest(kinds, owners, starts, limits) AS u (kind, owner, starts_at, cap)
    JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
  ) AS x WHERE x.room < more ORDER BY x.room, x.scope LIMIT 1;
  taken := CASE WHEN FOUND THEN greatest(short.room, 0) ELSE more END;
  IF taken > 0 THEN
    UPDATE wallets w SET held_nano = w.held_nano + taken WHERE w.id = hold.wallet_id;
    UPDATE spend_windows s SET held_nano = s.held_nano + taken
      FROM unnest(hold.window_kinds, hold.window_owners, hold.window_starts) AS u (kind, owner, starts_at)
      WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at AND NOT is_breaker(s.kind);
    UPDATE holds h SET amount_nano = h.amount_nano + taken,
        lease_until = greatest(h.lease_until, clock_timestamp() + lease_ms * interval '1 millisecond')
      WHERE h.id = extended;
  END IF;
  RETURN QUERY SELECT hold.amount_nano + taken, short.scope;
END $$;

-- Settles a batch: the record, the charge, the hold's end and the counters, once per generation whatever is replayed.
-- A charge without its hold, or above it, first takes the hold that it lacks from what wallet and limits have left. What it does not
-- get is not charged, and is written down as absorbed.
DROP FUNCTION settle_generations(uuid[], uuid[], json, uuid[], text[], uuid[], bigint[]);
CREATE FUNCTION settle_generations(
  ids uuid[], settled_wallets uuid[], records json,
  window_ids uuid[], kinds text[], owners uuid[], starts bigint[], limits bigint[] DEFAULT NULL, costs bigint[] DEFAULT NULL
) RETURNS TABLE (generation_id uuid, charged_nano bigint, absorbed_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  fresh_ids uuid[];
  fresh_costs bigint[];
  fresh_absorbed bigint[];
  lacking record;
  covered bigint;
  -- Of charges that were cut, and what is left of them.
  cut_ids uuid[] := '{}';
  cut_costs bigint[] := '{}';
  shares organization_share[];
  counted_kinds text[];
  counted_owners uuid[];
  counted_starts bigint[];
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = ANY (settled_wallets) ORDER BY w.id FOR NO KEY UPDATE;
  IF cardinality(kinds) > 0 THEN
    SELECT array_agg(x.kind), array_agg(x.owner), array_agg(x.starts_at) INTO counted_kinds, counted_owners, counted_starts
    FROM (SELECT DISTINCT u.kind, u.owner, u.starts_at FROM unnest(kinds, owners, starts) AS u (kind, owner, starts_at)) AS x;
    PERFORM open_windows(counted_kinds, counted_owners, counted_starts);
  END IF;

  IF costs IS NULL THEN
    SELECT array_agg(coalesce(r.cost_nano, 0) ORDER BY u.position) INTO costs
    FROM unnest(ids) WITH ORDINALITY AS u (id, position) LEFT JOIN json_to_recordset(records) AS r (id uuid, cost_nano bigint) ON r.id = u.id;
  END IF;
  FOR lacking IN
    SELECT a.id, a.wallet_id, a.cost, h.id IS NOT NULL AS has_hold, coalesce(h.amount_nano, 0) AS held
    FROM unnest(ids, settled_wallets, costs) WITH ORDINALITY AS a (id, wallet_id, cost, position) LEFT JOIN holds h ON h.id = a.id
    WHERE a.cost > coalesce(h.amount_nano, 0) ORDER BY a.position
  LOOP
    CONTINUE WHEN EXISTS (SELECT 1 FROM generations g WHERE g.id = lacking.id);
    SELECT greatest(least(lacking.cost - lacking.held, min(x.room)), 0) INTO covered FROM (
      SELECT w.balance_nano + w.credit_line_nano - w.held_nano AS room FROM wallets w WHERE w.id = lacking.wallet_id
      UNION ALL
      SELECT u.cap - s.spent_nano - s.held_nano
      FROM unnest(window_ids, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap)
      JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
      WHERE u.id = lacking.id AND u.cap IS NOT NULL AND NOT is_breaker(u.kind)) AS x;
    IF covered < lacking.cost - lacking.held THEN
      cut_ids := cut_ids || lacking.id;
      cut_costs := cut_costs || (lacking.held + covered);
    END IF;
    CONTINUE WHEN covered = 0;
    UPDATE wallets w SET held_nano = w.held_nano + covered WHERE w.id = lacking.wallet_id;
    UPDATE spend_windows s SET held_nano = s.held_nano + covered
      FROM unnest(window_ids, kinds, owners, starts) AS u (id, kind, owner, starts_at)
      WHERE u.id = lacking.id AND s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at AND NOT is_breaker(s.kind);
    IF lacking.has_hold THEN
      UPDATE holds h SET amount_nano = h.amount_nano + covered WHERE h.id = lacking.id;
    ELSE
      -- Ended below, with the others.
      INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until, window_kinds, window_owners, window_starts)
        SELECT lacking.id, lacking.wallet_id, lacking.id, covered, 0, clock_timestamp(),
          coalesce(array_agg(u.kind), '{}'), coalesce(array_agg(u.owner), '{}'), coalesce(array_agg(u.starts_at), '{}')
        FROM unnest(window_ids, kinds, owners, starts) AS u (id, kind, owner, starts_at)
        WHERE u.id = lacking.id AND NOT is_breaker(u.kind);
    END IF;
  END LOOP;

  WITH fresh AS (
    INSERT INTO generations AS g (
      id, wallet_id, key_id, user_id, organization_id, member_id, team_id, session_id, app_name, endpoint, model, provider,
      upstream_model, upstream_status, finish_reason, native_finish_reason, streamed, cancelled, is_byok, is_failover,
      started_at, first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input,
      text_output, reasoning_output, image_output, audio_output, held_nano, cost_nano, cache_discount_nano, price_id,
      refund_reason, attempts, routing, media, absorbed_nano, usage_doubted)
    SELECT r.id, r.wallet_id, r.key_id, r.user_id, r.organization_id, r.member_id, r.team_id, r.session_id, r.app_name, r.endpoint, r.model,
      r.provider, r.upstream_model, r.upstream_status, r.finish_reason, r.native_finish_reason, coalesce(r.streamed, false), coalesce(r.cancelled, false),
      coalesce(r.is_byok, false), coalesce(r.is_failover, false), to_timestamp(r.started_at_ms / 1000.0), r.first_token_ms, r.duration_ms, coalesce(r.uncached_input, 0),
      coalesce(r.cache_read, 0), coalesce(r.cache_write_5m, 0), coalesce(r.cache_write_1h, 0), coalesce(r.audio_input, 0), coalesce(r.text_output, 0), coalesce(r.reasoning_output, 0), coalesce(r.image_output, 0),
      coalesce(r.audio_output, 0), coalesce(r.held_nano, 0), coalesce(c.cost, r.cost_nano, 0), coalesce(r.cache_discount_nano, 0), r.price_id, r.refund_reason, r.attempts, r.routing, r.media,
      coalesce(r.absorbed_nano, 0) + coalesce(r.cost_nano - c.cost, 0), coalesce(r.usage_doubted, false)
    FROM json_to_recordset(records) AS r (
      id uuid, wallet_id uuid, key_id uuid, user_id uuid, organization_id uuid, member_id uuid, team_id uuid, session_id uuid,
      app_name text, endpoint text, model text, provider text, upstream_model text, upstream_status integer, finish_reason text,
      native_finish_reason text, streamed boolean, cancelled boolean, is_byok boolean, is_failover boolean,
      started_at_ms bigint, first_token_ms integer, duration_ms integer, uncached_input bigint, cache_read bigint,
      cache_write_5m bigint, cache_write_1h bigint, audio_input bigint, text_output bigint, reasoning_output bigint,
      image_output bigint, audio_output bigint, held_nano bigint, cost_nano bigint, cache_discount_nano bigint,
      price_id uuid, refund_reason text, attempts jsonb, routing jsonb, media jsonb,
      absorbed_nano bigint, usage_doubted boolean)
    LEFT JOIN unnest(cut_ids, cut_costs) AS c (id, cost) ON c.id = r.id
    ON CONFLICT (id) DO NOTHING
    RETURNING g.id, g.wallet_id, g.key_id, g.organization_id, g.member_id, g.team_id, g.session_id, g.cost_nano, g.absorbed_nano, g.started_at,
      g.uncached_input + g.cache_read + g.cache_write_5m + g.cache_write_1h + g.audio_input AS prompt_tokens,
      g.text_output + g.reasoning_output + g.image_output + g.audio_output AS completion_tokens
  ), closed AS (
    DELETE FROM holds h USING unnest(ids) AS u (id) WHERE h.id = u.id RETURNING h.*
  ), moved AS (
    INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano)
    SELECT f.id, 0, f.wallet_id, 'charge', 'wallet', 'usage', f.cost_nano FROM fresh f WHERE f.cost_nano > 0
  ), wallet_changes AS (
    UPDATE wallets w SET balance_nano = w.balance_nano - n.cost, charged_nano = w.charged_nano + n.cost, held_nano = w.held_nano - n.held
    FROM (SELECT c.wallet_id, sum(c.cost)::bigint AS cost, sum(c.held)::bigint AS held FROM (
            SELECT f.wallet_id, f.cost_nano AS cost, 0::bigint AS held FROM fresh f
            UNION ALL SELECT d.wallet_id, 0, d.amount_nano FROM closed d) AS c GROUP BY 1) AS n
    WHERE w.id = n.wallet_id AND (n.cost <> 0 OR n.held <> 0)
  ), window_sums AS (
    UPDATE spend_windows s SET spent_nano = s.spent_nano + n.cost, held_nano = s.held_nano - n.held
    FROM (SELECT c.kind, c.owner, c.starts_at, sum(c.cost)::bigint AS cost, sum(c.held)::bigint AS held FROM (
            SELECT u.kind, u.owner, u.starts_at, f.cost_nano AS cost, 0::bigint AS held
            FROM unnest(window_ids, kinds, owners, starts) AS u (id, kind, owner, starts_at) JOIN fresh f ON f.id = u.id
            UNION ALL
            SELECT x.kind, x.owner, x.starts_at, 0, CASE WHEN is_breaker(x.kind) THEN d.estimate_nano ELSE d.amount_nano END
            FROM closed d, unnest(d.window_kinds, d.window_owners, d.window_starts) AS x (kind, owner, starts_at)
          ) AS c GROUP BY 1, 2, 3 ORDER BY 1, 2, 3) AS n
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
  ), key_days AS (
    INSERT INTO key_usage_days AS k (key_id, day, spent_nano, requests, prompt_tokens, completion_tokens, last_used_at)
    SELECT f.key_id, (f.started_at AT TIME ZONE 'UTC')::date, sum(f.cost_nano), count(*), sum(f.prompt_tokens), sum(f.completion_tokens), now()
    FROM fresh f GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (key_id, day) DO UPDATE SET
      spent_nano = k.spent_nano + excluded.spent_nano, requests = k.requests + excluded.requests,
      prompt_tokens = k.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = k.completion_tokens + excluded.completion_tokens, last_used_at = excluded.last_used_at
  )
  SELECT coalesce(array_agg(f.id), '{}'), coalesce(array_agg(f.cost_nano), '{}'), coalesce(array_agg(f.absorbed_nano), '{}'),
    array_agg(ROW(f.organization_id, f.member_id, f.team_id, f.session_id, f.started_at, f.cost_nano,
      f.prompt_tokens + f.completion_tokens)::organization_share) FILTER (WHERE f.organization_id IS NOT NULL)
  INTO fresh_ids, fresh_costs, fresh_absorbed, shares FROM fresh f;
  RETURN QUERY SELECT u.id, u.cost, u.absorbed FROM unnest(fresh_ids, fresh_costs, fresh_absorbed) AS u (id, cost, absorbed);
  -- Settled before: their first cost is answered. Joined id by id, so that each looks into its own partition only.
  IF cardinality(fresh_ids) < cardinality(ids) THEN
    RETURN QUERY SELECT g.id, g.cost_nano, g.absorbed_nano FROM unnest(ids) AS u (id) CROSS JOIN LATERAL (
      SELECT s.id, s.cost_nano, s.absorbed_nano FROM generations s WHERE s.id = u.id OFFSET 0) AS g
      WHERE NOT u.id = ANY (fresh_ids);
  END IF;

  -- A statement of its own, so that batches of personal requests do not even start it.
  IF shares IS NOT NULL THEN
    INSERT INTO spend_days AS d (kind, owner_id, day, spent_nano, requests, tokens, last_at)
      SELECT o.kind, o.owner_id, (s.started_at AT TIME ZONE 'UTC')::date, sum(s.cost_nano), count(*), sum(s.tokens), max(s.started_at)
      FROM unnest(shares) AS s
      CROSS JOIN LATERAL (VALUES ('member', s.member_id), ('team', s.team_id), ('organization', s.organization_id)) AS o (kind, owner_id)
      WHERE o.owner_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (kind, owner_id, day) DO UPDATE SET
        spent_nano = d.spent_nano + excluded.spent_nano, requests = d.requests + excluded.requests,
        tokens = d.tokens + excluded.tokens, last_at = greatest(d.last_at, excluded.last_at);
    UPDATE institution_sessions i SET tokens_used = i.tokens_used + n.tokens
      FROM (SELECT s.session_id, sum(s.tokens) AS tokens FROM unnest(shares) AS s WHERE s.session_id IS NOT NULL
            GROUP BY 1 ORDER BY 1) AS n
      WHERE i.id = n.session_id;
  END IF;
END $$;

-- Ends holds whose lease has run out: whoever placed them is gone. Returns how many.
CREATE OR REPLACE FUNCTION sweep_holds(at_most integer) RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off AS $$
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
    -- The lease is looked at again under the locks: its owner may have renewed it meanwhile.
    DELETE FROM holds h WHERE h.id = ANY (lapsed) AND h.lease_until < clock_timestamp() RETURNING h.*
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
    FROM (SELECT c.wallet_id, sum(c.amount_nano)::bigint AS held FROM closed c GROUP BY 1) AS n WHERE w.id = n.wallet_id
  )
  SELECT count(*) INTO swept FROM closed;
  RETURN swept;
END $$;

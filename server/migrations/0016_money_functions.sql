-- The money functions again, with organizations and institutions in them. How they lock is told in 0004 and still holds:
-- wallets by id, windows by key, then hold rows; what belongs to one organization is behind its wallet's lock.

-- Makes the window rows that are missing, seeded from stored sums, and locks all of them in order. Each window is named once.
CREATE OR REPLACE FUNCTION open_windows(kinds text[], owners uuid[], starts bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO spend_windows AS s (kind, owner_id, starts_at, spent_nano)
    SELECT n.kind, n.owner, n.starts_at, stored_spend(n.kind, n.owner, n.starts_at)
    FROM unnest(kinds, owners, starts) AS n (kind, owner, starts_at)
    WHERE NOT EXISTS (SELECT 1 FROM spend_windows e
                      WHERE e.kind = n.kind AND e.owner_id = n.owner AND e.starts_at = n.starts_at)
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM spend_windows s
    JOIN unnest(kinds, owners, starts) AS n (kind, owner, starts_at)
      ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
END $$;

-- Judges a batch of holds over their wallets and every limited window, all or none for each hold.
-- Where a wallet or window has room for all that the batch asks of it, set statements finish it. Of the holds that touch one
-- without that room, those that would not fit even alone are refused together, for room only shrinks while a batch is
-- judged; what is left is judged one by one, in the order given.
CREATE OR REPLACE FUNCTION place_holds(
  ids uuid[], hold_wallets uuid[], hold_keys uuid[], amounts bigint[], lease_ms integer, is_retry boolean,
  window_holds uuid[], kinds text[], owners uuid[], starts bigint[], limits bigint[]
) RETURNS TABLE (hold_id uuid, refused_by text, room_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
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
BEGIN
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
    FROM (SELECT u.kind, u.owner, u.starts_at, sum(a.amount) AS amount, min(u.cap) AS cap
          FROM unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap)
          JOIN unnest(ids, amounts) AS a (id, amount) ON a.id = u.id
          WHERE NOT a.id = ANY (already) GROUP BY 1, 2, 3) AS x;
    PERFORM open_windows(asked_kinds, asked_owners, asked_starts);
    SELECT array_agg(n.kind), array_agg(n.owner), array_agg(n.starts_at) INTO short_kinds, short_owners, short_starts
    FROM unnest(asked_kinds, asked_owners, asked_starts, asked_amounts, asked_limits) AS n (kind, owner, starts_at, amount, cap)
    JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    WHERE s.spent_nano + s.held_nano + n.amount > n.cap;
  END IF;

  IF short_wallets IS NOT NULL OR short_kinds IS NOT NULL THEN
    SELECT coalesce(array_agg(a.id), '{}') INTO tight FROM unnest(ids, hold_wallets) AS a (id, wallet_id)
    WHERE NOT a.id = ANY (already) AND (a.wallet_id = ANY (short_wallets) OR a.id IN (
      SELECT u.id FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
      JOIN unnest(short_kinds, short_owners, short_starts) AS x (kind, owner, starts_at)
        ON x.kind = u.kind AND x.owner = u.owner AND x.starts_at = u.starts_at));
  END IF;

  -- Roomy holds, all at once.
  WITH granted AS (
    INSERT INTO holds AS h (id, wallet_id, key_id, amount_nano, lease_until, window_kinds, window_owners, window_starts)
    SELECT a.id, a.wallet_id, a.key_id, a.amount, clock_timestamp() + lease_ms * interval '1 millisecond',
      coalesce(w.window_kinds, '{}'), coalesce(w.window_owners, '{}'), coalesce(w.window_starts, '{}')
    FROM unnest(ids, hold_wallets, hold_keys, amounts) AS a (id, wallet_id, key_id, amount)
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
  IF cardinality(kinds) > 0 AND cardinality(tight) = 0 THEN
    UPDATE spend_windows s SET held_nano = s.held_nano + n.amount
    FROM unnest(asked_kinds, asked_owners, asked_starts, asked_amounts) AS n (kind, owner, starts_at, amount)
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at;
  ELSIF cardinality(kinds) > 0 THEN
    UPDATE spend_windows s SET held_nano = s.held_nano + n.amount
    FROM (SELECT u.kind, u.owner, u.starts_at, sum(a.amount)::bigint AS amount
          FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
          JOIN unnest(ids, amounts) AS a (id, amount) ON a.id = u.id
          WHERE NOT a.id = ANY (tight) AND NOT a.id = ANY (already) GROUP BY 1, 2, 3) AS n
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at;
  END IF;
  RETURN QUERY SELECT u.id, NULL::text, NULL::bigint FROM unnest(ids) AS u (id) WHERE NOT u.id = ANY (tight);
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
      WHERE s.spent_nano + s.held_nano + a.amount > u.cap
    ) AS f ORDER BY f.id, f.rank, f.room, f.scope) AS x;
  IF refused IS NOT NULL THEN
    RETURN QUERY SELECT u.id, u.scope, u.room FROM unnest(refused, refused_scopes, refused_rooms) AS u (id, scope, room);
    IF cardinality(refused) = cardinality(tight) THEN RETURN; END IF;
  END IF;

  -- The rest, exactly, in order.
  FOR hold IN
    SELECT a.*, w.kinds, w.owners, w.starts, w.caps
    FROM unnest(ids, hold_wallets, hold_keys, amounts) WITH ORDINALITY AS a (id, wallet_id, key_id, amount, position)
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
      WHERE s.spent_nano + s.held_nano + hold.amount > u.cap
    ) AS x ORDER BY x.rank, x.room, x.scope LIMIT 1;
    IF FOUND THEN
      RETURN QUERY SELECT hold.id, short.scope, greatest(short.room, 0)::bigint;
      CONTINUE;
    END IF;
    UPDATE wallets w SET held_nano = w.held_nano + hold.amount WHERE w.id = hold.wallet_id;
    UPDATE spend_windows s SET held_nano = s.held_nano + hold.amount
      FROM unnest(hold.kinds, hold.owners, hold.starts) AS u (kind, owner, starts_at)
      WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at;
    INSERT INTO holds (id, wallet_id, key_id, amount_nano, lease_until, window_kinds, window_owners, window_starts)
      VALUES (hold.id, hold.wallet_id, hold.key_id, hold.amount, clock_timestamp() + lease_ms * interval '1 millisecond',
        coalesce(hold.kinds, '{}'), coalesce(hold.owners, '{}'), coalesce(hold.starts, '{}'));
    RETURN QUERY SELECT hold.id, NULL::text, NULL::bigint;
  END LOOP;
END $$;

-- What a settled request adds to the sums of whoever it was made for.
CREATE TYPE organization_share AS (
  organization_id uuid, member_id uuid, team_id uuid, session_id uuid, started_at timestamptz, cost_nano bigint, tokens bigint
);

-- Settles a batch: the record, the charge, the hold's end and the counters, once per generation whatever is replayed.
-- A charge is made with or without its hold, so a hold lost in a crash costs nobody money.
CREATE OR REPLACE FUNCTION settle_generations(
  ids uuid[], settled_wallets uuid[], records json,
  window_ids uuid[], kinds text[], owners uuid[], starts bigint[]
) RETURNS TABLE (generation_id uuid, charged_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  fresh_ids uuid[];
  fresh_costs bigint[];
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
  WITH fresh AS (
    INSERT INTO generations AS g (
      id, wallet_id, key_id, user_id, organization_id, member_id, team_id, session_id, app_name, endpoint, model, provider,
      upstream_model, upstream_status, finish_reason, native_finish_reason, streamed, cancelled, is_byok, is_failover,
      started_at, first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input,
      text_output, reasoning_output, image_output, audio_output, held_nano, cost_nano, cache_discount_nano, price_id,
      refund_reason, attempts, routing)
    SELECT r.id, r.wallet_id, r.key_id, r.user_id, r.organization_id, r.member_id, r.team_id, r.session_id, r.app_name, r.endpoint, r.model,
      r.provider, r.upstream_model, r.upstream_status, r.finish_reason, r.native_finish_reason, coalesce(r.streamed, false), coalesce(r.cancelled, false),
      coalesce(r.is_byok, false), coalesce(r.is_failover, false), to_timestamp(r.started_at_ms / 1000.0), r.first_token_ms, r.duration_ms, coalesce(r.uncached_input, 0),
      coalesce(r.cache_read, 0), coalesce(r.cache_write_5m, 0), coalesce(r.cache_write_1h, 0), coalesce(r.audio_input, 0), coalesce(r.text_output, 0), coalesce(r.reasoning_output, 0), coalesce(r.image_output, 0),
      coalesce(r.audio_output, 0), coalesce(r.held_nano, 0), coalesce(r.cost_nano, 0), coalesce(r.cache_discount_nano, 0), r.price_id, r.refund_reason, r.attempts, r.routing
    FROM json_to_recordset(records) AS r (
      id uuid, wallet_id uuid, key_id uuid, user_id uuid, organization_id uuid, member_id uuid, team_id uuid, session_id uuid,
      app_name text, endpoint text, model text, provider text, upstream_model text, upstream_status integer, finish_reason text,
      native_finish_reason text, streamed boolean, cancelled boolean, is_byok boolean, is_failover boolean,
      started_at_ms bigint, first_token_ms integer, duration_ms integer, uncached_input bigint, cache_read bigint,
      cache_write_5m bigint, cache_write_1h bigint, audio_input bigint, text_output bigint, reasoning_output bigint,
      image_output bigint, audio_output bigint, held_nano bigint, cost_nano bigint, cache_discount_nano bigint,
      price_id uuid, refund_reason text, attempts jsonb, routing jsonb)
    ON CONFLICT (id) DO NOTHING
    RETURNING g.id, g.wallet_id, g.key_id, g.organization_id, g.member_id, g.team_id, g.session_id, g.cost_nano, g.started_at,
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
            SELECT x.kind, x.owner, x.starts_at, 0, d.amount_nano
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
  SELECT coalesce(array_agg(f.id), '{}'), coalesce(array_agg(f.cost_nano), '{}'),
    array_agg(ROW(f.organization_id, f.member_id, f.team_id, f.session_id, f.started_at, f.cost_nano,
      f.prompt_tokens + f.completion_tokens)::organization_share) FILTER (WHERE f.organization_id IS NOT NULL)
  INTO fresh_ids, fresh_costs, shares FROM fresh f;
  RETURN QUERY SELECT u.id, u.cost FROM unnest(fresh_ids, fresh_costs) AS u (id, cost);
  -- Settled before: their first cost is answered. Joined id by id, so that each looks into its own partition only.
  IF cardinality(fresh_ids) < cardinality(ids) THEN
    RETURN QUERY SELECT g.id, g.cost_nano FROM unnest(ids) AS u (id) CROSS JOIN LATERAL (
      SELECT s.id, s.cost_nano FROM generations s WHERE s.id = u.id OFFSET 0) AS g;
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

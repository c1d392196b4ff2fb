-- Every money decision is one call over a batch. All of them lock in the same order (wallets by id, windows by key,
-- then hold rows), so batches of several processes can not deadlock; a caller still retries 40P01. Sequential scans are off
-- inside: these tables churn, and a plan made while one was small must not read it whole when it is not.

-- What a scope had already spent when its window row is first needed.
CREATE FUNCTION stored_spend(kind text, owner uuid, starts_at bigint) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
DECLARE
  since timestamptz := to_timestamp(starts_at / 1000.0);
BEGIN
  IF kind LIKE 'key\_%' THEN
    RETURN (SELECT coalesce(sum(spent_nano), 0) FROM key_usage_days
            WHERE key_id = owner AND day >= (since AT TIME ZONE 'UTC')::date);
  ELSIF kind LIKE 'user\_%' THEN
    RETURN (SELECT coalesce(sum(cost_nano), 0) FROM generations WHERE user_id = owner AND id >= first_id_at(since));
  END IF;
  RETURN 0;
END $$;

-- Makes the window rows that are missing, seeded from stored sums, and locks all of them in order.
CREATE FUNCTION open_windows(kinds text[], owners uuid[], starts bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO spend_windows AS s (kind, owner_id, starts_at, spent_nano)
    SELECT n.kind, n.owner, n.starts_at, stored_spend(n.kind, n.owner, n.starts_at)
    FROM (SELECT DISTINCT u.kind, u.owner, u.starts_at FROM unnest(kinds, owners, starts) AS u (kind, owner, starts_at)) AS n
    WHERE NOT EXISTS (SELECT 1 FROM spend_windows e
                      WHERE e.kind = n.kind AND e.owner_id = n.owner AND e.starts_at = n.starts_at)
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM spend_windows s
    JOIN (SELECT DISTINCT u.kind, u.owner, u.starts_at FROM unnest(kinds, owners, starts) AS u (kind, owner, starts_at)) AS n
      ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
END $$;

-- Judges a batch of holds over their wallets and every limited window, all or none for each hold.
-- Where a wallet or window has room for all that the batch asks of it, set statements finish it; only holds that touch
-- one without that room are judged one by one, in the order given.
CREATE FUNCTION place_holds(
  ids uuid[], hold_wallets uuid[], hold_keys uuid[], amounts bigint[], lease_ms integer, is_retry boolean,
  window_holds uuid[], kinds text[], owners uuid[], starts bigint[], limits bigint[]
) RETURNS TABLE (hold_id uuid, refused_by text, room_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  already uuid[] := '{}';
  tight uuid[];
  hold record;
  short record;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = ANY (hold_wallets) ORDER BY w.id FOR NO KEY UPDATE;
  -- A retried batch may have been committed the first time; looked at under the locks, for that try may still be running.
  IF is_retry THEN
    already := coalesce((SELECT array_agg(h.id) FROM holds h WHERE h.id = ANY (ids)), '{}');
  END IF;

  IF cardinality(kinds) > 0 THEN PERFORM open_windows(kinds, owners, starts); END IF;

  WITH asked AS (
    SELECT * FROM unnest(ids, hold_wallets, amounts) AS a (id, wallet_id, amount) WHERE NOT a.id = ANY (already)
  ), short_wallets AS (
    SELECT a.wallet_id FROM asked a LEFT JOIN wallets w ON w.id = a.wallet_id
    GROUP BY a.wallet_id, w.id, w.balance_nano, w.credit_line_nano, w.held_nano
    HAVING w.id IS NULL OR w.balance_nano + w.credit_line_nano <= 0
      OR w.balance_nano + w.credit_line_nano - w.held_nano < sum(a.amount)
  ), windowed AS (
    SELECT u.*, a.amount FROM unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap)
    JOIN asked a ON a.id = u.id
  ), short_windows AS (
    SELECT n.kind, n.owner, n.starts_at FROM windowed n
    JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    GROUP BY n.kind, n.owner, n.starts_at, s.spent_nano, s.held_nano
    HAVING s.spent_nano + s.held_nano + sum(n.amount) > min(n.cap)
  )
  SELECT coalesce(array_agg(DISTINCT a.id), '{}') INTO tight FROM asked a
  WHERE a.wallet_id IN (SELECT sw.wallet_id FROM short_wallets sw)
    OR a.id IN (SELECT n.id FROM windowed n JOIN short_windows x
                ON x.kind = n.kind AND x.owner = n.owner AND x.starts_at = n.starts_at);

  -- Roomy holds, all at once.
  WITH granted AS (
    SELECT a.*, w.window_kinds, w.window_owners, w.window_starts
    FROM unnest(ids, hold_wallets, hold_keys, amounts) AS a (id, wallet_id, key_id, amount)
    LEFT JOIN (
      SELECT u.id, array_agg(u.kind) AS window_kinds, array_agg(u.owner) AS window_owners, array_agg(u.starts_at) AS window_starts
      FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at) GROUP BY u.id
    ) AS w ON w.id = a.id
    WHERE NOT a.id = ANY (tight) AND NOT a.id = ANY (already)
  ), placed AS (
    INSERT INTO holds (id, wallet_id, key_id, amount_nano, lease_until, window_kinds, window_owners, window_starts)
    SELECT g.id, g.wallet_id, g.key_id, g.amount, clock_timestamp() + lease_ms * interval '1 millisecond',
      coalesce(g.window_kinds, '{}'), coalesce(g.window_owners, '{}'), coalesce(g.window_starts, '{}')
    FROM granted g
  ), counted AS (
    UPDATE spend_windows s SET held_nano = s.held_nano + n.amount
    FROM (SELECT u.kind, u.owner, u.starts_at, sum(g.amount)::bigint AS amount
          FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
          JOIN granted g ON g.id = u.id GROUP BY 1, 2, 3) AS n
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
  )
  UPDATE wallets w SET held_nano = w.held_nano + n.amount
  FROM (SELECT g.wallet_id, sum(g.amount)::bigint AS amount FROM granted g GROUP BY 1) AS n
  WHERE w.id = n.wallet_id;

  RETURN QUERY SELECT u.id, NULL::text, NULL::bigint FROM unnest(ids) AS u (id) WHERE NOT u.id = ANY (tight);

  -- Tight holds, exactly, in order.
  IF cardinality(tight) > 0 THEN
    FOR hold IN
      SELECT a.* FROM unnest(ids, hold_wallets, hold_keys, amounts) WITH ORDINALITY AS a (id, wallet_id, key_id, amount, position)
      WHERE a.id = ANY (tight) ORDER BY a.position
    LOOP
      SELECT x.* INTO short FROM (
        SELECT 'wallet' AS scope, 0 AS rank, coalesce(w.balance_nano + w.credit_line_nano - w.held_nano, 0) AS room
        FROM (SELECT hold.wallet_id AS id) AS h LEFT JOIN wallets w ON w.id = h.id
        WHERE w.id IS NULL OR w.balance_nano + w.credit_line_nano <= 0
          OR w.balance_nano + w.credit_line_nano - w.held_nano < hold.amount
        UNION ALL
        SELECT u.kind, 1, u.cap - s.spent_nano - s.held_nano
        FROM unnest(window_holds, kinds, owners, starts, limits) AS u (id, kind, owner, starts_at, cap)
        JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
        WHERE u.id = hold.id AND s.spent_nano + s.held_nano + hold.amount > u.cap
      ) AS x ORDER BY x.rank, x.room LIMIT 1;
      IF FOUND THEN
        RETURN QUERY SELECT hold.id, short.scope, greatest(short.room, 0)::bigint;
        CONTINUE;
      END IF;
      UPDATE wallets w SET held_nano = w.held_nano + hold.amount WHERE w.id = hold.wallet_id;
      UPDATE spend_windows s SET held_nano = s.held_nano + hold.amount
        FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at)
        WHERE u.id = hold.id AND s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at;
      INSERT INTO holds (id, wallet_id, key_id, amount_nano, lease_until, window_kinds, window_owners, window_starts)
        SELECT hold.id, hold.wallet_id, hold.key_id, hold.amount, clock_timestamp() + lease_ms * interval '1 millisecond',
          coalesce(array_agg(u.kind), '{}'), coalesce(array_agg(u.owner), '{}'), coalesce(array_agg(u.starts_at), '{}')
        FROM unnest(window_holds, kinds, owners, starts) AS u (id, kind, owner, starts_at) WHERE u.id = hold.id;
      RETURN QUERY SELECT hold.id, NULL::text, NULL::bigint;
    END LOOP;
  END IF;
END $$;

-- Raises one open hold to a new total, if wallet and windows have the room; false when they have not or it is gone.
CREATE FUNCTION extend_hold(extended uuid, total bigint, kinds text[], owners uuid[], starts bigint[], limits bigint[], lease_ms integer)
RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  hold holds%ROWTYPE;
  more bigint;
  fits boolean;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = (SELECT h.wallet_id FROM holds h WHERE h.id = extended) FOR NO KEY UPDATE;
  PERFORM 1 FROM spend_windows s
    JOIN unnest(kinds, owners, starts) AS u (kind, owner, starts_at)
      ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
  SELECT * INTO hold FROM holds h WHERE h.id = extended FOR UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  more := total - hold.amount_nano;
  IF more <= 0 THEN RETURN true; END IF;
  SELECT w.balance_nano + w.credit_line_nano - w.held_nano >= more INTO fits FROM wallets w WHERE w.id = hold.wallet_id;
  IF NOT fits THEN RETURN false; END IF;
  SELECT coalesce(bool_and(s.spent_nano + s.held_nano + more <= u.cap), true) INTO fits
    FROM unnest(kinds, owners, starts, limits) AS u (kind, owner, starts_at, cap)
    JOIN spend_windows s ON s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at;
  IF NOT fits THEN RETURN false; END IF;
  UPDATE wallets w SET held_nano = w.held_nano + more WHERE w.id = hold.wallet_id;
  UPDATE spend_windows s SET held_nano = s.held_nano + more
    FROM unnest(hold.window_kinds, hold.window_owners, hold.window_starts) AS u (kind, owner, starts_at)
    WHERE s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at;
  UPDATE holds h SET amount_nano = total, lease_until = clock_timestamp() + lease_ms * interval '1 millisecond'
    WHERE h.id = extended;
  RETURN true;
END $$;

-- Settles a batch: the record, the charge, the hold's end and the counters, once per generation whatever is replayed.
-- A charge is made with or without its hold, so a hold lost in a crash costs nobody money.
CREATE FUNCTION settle_generations(
  ids uuid[], settled_wallets uuid[], records json,
  window_ids uuid[], kinds text[], owners uuid[], starts bigint[]
) RETURNS TABLE (generation_id uuid, charged_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  fresh_count integer;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = ANY (settled_wallets) ORDER BY w.id FOR NO KEY UPDATE;
  IF cardinality(kinds) > 0 THEN PERFORM open_windows(kinds, owners, starts); END IF;
  RETURN QUERY
  WITH fresh AS (
    INSERT INTO generations AS g (
      id, wallet_id, key_id, user_id, organization_id, member_id, team_id, app_name, endpoint, model, provider,
      upstream_model, upstream_status, finish_reason, native_finish_reason, streamed, cancelled, is_byok, is_failover,
      started_at, first_token_ms, duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input,
      text_output, reasoning_output, image_output, audio_output, held_nano, cost_nano, cache_discount_nano, price_id,
      refund_reason, attempts)
    SELECT r.id, r.wallet_id, r.key_id, r.user_id, r.organization_id, r.member_id, r.team_id, r.app_name, r.endpoint, r.model,
      r.provider, r.upstream_model, r.upstream_status, r.finish_reason, r.native_finish_reason, coalesce(r.streamed, false), coalesce(r.cancelled, false),
      coalesce(r.is_byok, false), coalesce(r.is_failover, false), to_timestamp(r.started_at_ms / 1000.0), r.first_token_ms, r.duration_ms, coalesce(r.uncached_input, 0),
      coalesce(r.cache_read, 0), coalesce(r.cache_write_5m, 0), coalesce(r.cache_write_1h, 0), coalesce(r.audio_input, 0), coalesce(r.text_output, 0), coalesce(r.reasoning_output, 0), coalesce(r.image_output, 0),
      coalesce(r.audio_output, 0), coalesce(r.held_nano, 0), coalesce(r.cost_nano, 0), coalesce(r.cache_discount_nano, 0), r.price_id, r.refund_reason, r.attempts
    FROM json_to_recordset(records) AS r (
      id uuid, wallet_id uuid, key_id uuid, user_id uuid, organization_id uuid, member_id uuid, team_id uuid, app_name text,
      endpoint text, model text, provider text, upstream_model text, upstream_status integer, finish_reason text,
      native_finish_reason text, streamed boolean, cancelled boolean, is_byok boolean, is_failover boolean,
      started_at_ms bigint, first_token_ms integer, duration_ms integer, uncached_input bigint, cache_read bigint,
      cache_write_5m bigint, cache_write_1h bigint, audio_input bigint, text_output bigint, reasoning_output bigint,
      image_output bigint, audio_output bigint, held_nano bigint, cost_nano bigint, cache_discount_nano bigint,
      price_id uuid, refund_reason text, attempts jsonb)
    ON CONFLICT (id) DO NOTHING
    RETURNING g.id, g.wallet_id, g.key_id, g.cost_nano, (g.started_at AT TIME ZONE 'UTC')::date AS day,
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
    SELECT f.key_id, f.day, sum(f.cost_nano), count(*), sum(f.prompt_tokens), sum(f.completion_tokens), now()
    FROM fresh f GROUP BY 1, 2 ORDER BY 1, 2
    ON CONFLICT (key_id, day) DO UPDATE SET
      spent_nano = k.spent_nano + excluded.spent_nano, requests = k.requests + excluded.requests,
      prompt_tokens = k.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = k.completion_tokens + excluded.completion_tokens, last_used_at = excluded.last_used_at
  )
  SELECT f.id, f.cost_nano FROM fresh f;
  GET DIAGNOSTICS fresh_count = ROW_COUNT;
  -- Settled before: their first cost is answered. Joined id by id, so that each looks into its own partition only.
  IF fresh_count < cardinality(ids) THEN
    RETURN QUERY SELECT g.id, g.cost_nano FROM unnest(ids) AS u (id) CROSS JOIN LATERAL (
      SELECT s.id, s.cost_nano FROM generations s WHERE s.id = u.id OFFSET 0) AS g;
  END IF;
END $$;

-- Ends holds whose lease has run out: whoever placed them is gone. Returns how many.
CREATE FUNCTION sweep_holds(at_most integer) RETURNS integer LANGUAGE plpgsql SET enable_seqscan = off AS $$
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
    FROM (SELECT x.kind, x.owner, x.starts_at, sum(c.amount_nano)::bigint AS held
          FROM closed c, unnest(c.window_kinds, c.window_owners, c.window_starts) AS x (kind, owner, starts_at) GROUP BY 1, 2, 3) AS n
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
  ), returned AS (
    UPDATE wallets w SET held_nano = w.held_nano - n.held
    FROM (SELECT c.wallet_id, sum(c.amount_nano)::bigint AS held FROM closed c GROUP BY 1) AS n WHERE w.id = n.wallet_id
  )
  SELECT count(*) INTO swept FROM closed;
  RETURN swept;
END $$;

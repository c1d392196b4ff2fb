-- Settles a batch: the record, the charge, the release of the hold and the counters, once per generation however often
-- it is replayed. A charge never exceeds its hold: a charge without a hold, or above it, first takes the missing amount
-- from the room of the wallet and the limits. The rest is not charged; it is stored as absorbed, the operator's loss.
--
-- A generation with a window `customer_balance` is paid from a customer's balance. Its charge releases as much of what
-- the wallet has put aside for its customers.
--
-- Locks the holds by id, as `settle_plain_generations` does, then wallets and windows as `place_holds` does. So two
-- settles of one generation follow one another.
CREATE OR REPLACE FUNCTION settle_generations(
  ids uuid[], settled_wallets uuid[], records json,
  window_ids uuid[], kinds text[], owners uuid[], starts bigint[], limits bigint[] DEFAULT NULL, costs bigint[] DEFAULT NULL
) RETURNS TABLE (generation_id uuid, charged_nano bigint, absorbed_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  fresh_ids uuid[];
  fresh_costs bigint[];
  fresh_absorbed bigint[];
  lacking record;
  covered bigint;
  -- Generations whose charge was reduced, and their reduced costs.
  cut_ids uuid[] := '{}';
  cut_costs bigint[] := '{}';
  -- The generations that customers' balances pay for, and these customers.
  prepaid_ids uuid[] := '{}';
  payers uuid[] := '{}';
  shares settled_share[];
  counted_kinds text[];
  counted_owners uuid[];
  counted_starts bigint[];
BEGIN
  PERFORM 1 FROM holds h WHERE h.id = ANY (ids) ORDER BY h.id FOR UPDATE;
  PERFORM 1 FROM wallets w WHERE w.id = ANY (settled_wallets) ORDER BY w.id FOR NO KEY UPDATE;
  IF cardinality(kinds) > 0 THEN
    SELECT array_agg(x.kind), array_agg(x.owner), array_agg(x.starts_at) INTO counted_kinds, counted_owners, counted_starts
    FROM (SELECT DISTINCT u.kind, u.owner, u.starts_at FROM unnest(kinds, owners, starts) AS u (kind, owner, starts_at)) AS x;
    PERFORM open_windows(counted_kinds, counted_owners, counted_starts);
  END IF;
  IF is_prepaid(kinds) THEN
    SELECT array_agg(u.id), array_agg(u.owner) INTO prepaid_ids, payers
    FROM unnest(window_ids, kinds, owners) AS u (id, kind, owner) WHERE is_prepaid(ARRAY[u.kind]);
  END IF;

  IF costs IS NULL THEN
    SELECT array_agg(coalesce(r.cost_nano, 0) ORDER BY u.position) INTO costs
    FROM unnest(ids) WITH ORDINALITY AS u (id, position) LEFT JOIN json_to_recordset(records) AS r (id uuid, cost_nano bigint) ON r.id = u.id;
  END IF;
  FOR lacking IN
    SELECT a.id, a.wallet_id, a.cost, h.id IS NOT NULL AS has_hold, coalesce(h.amount_nano, 0) AS held,
      a.id = ANY (prepaid_ids) AS is_prepaid
    FROM unnest(ids, settled_wallets, costs) WITH ORDINALITY AS a (id, wallet_id, cost, position) LEFT JOIN holds h ON h.id = a.id
    WHERE a.cost > coalesce(h.amount_nano, 0) ORDER BY a.position
  LOOP
    CONTINUE WHEN EXISTS (SELECT 1 FROM generations g WHERE g.id = lacking.id);
    SELECT greatest(least(lacking.cost - lacking.held, min(x.room)), 0) INTO covered FROM (
      SELECT w.balance_nano + w.credit_line_nano - w.held_nano AS room FROM wallets w
      WHERE w.id = lacking.wallet_id AND (NOT lacking.is_prepaid OR w.balance_nano + w.credit_line_nano - w.held_nano < 0)
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
    UPDATE wallets w SET held_nano = w.held_nano + covered WHERE w.id = lacking.wallet_id AND NOT lacking.is_prepaid;
    UPDATE spend_windows s SET held_nano = s.held_nano + covered
      FROM unnest(window_ids, kinds, owners, starts) AS u (id, kind, owner, starts_at)
      WHERE u.id = lacking.id AND s.kind = u.kind AND s.owner_id = u.owner AND s.starts_at = u.starts_at AND NOT is_breaker(s.kind);
    IF lacking.has_hold THEN
      UPDATE holds h SET amount_nano = h.amount_nano + covered WHERE h.id = lacking.id;
    ELSE
      -- This hold is released below, with the others.
      INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until, window_kinds, window_owners, window_starts)
        SELECT lacking.id, lacking.wallet_id, lacking.id, covered, 0, clock_timestamp(),
          array_agg(u.kind), array_agg(u.owner), array_agg(u.starts_at)
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
      refund_reason, attempts, routing, media, absorbed_nano, usage_doubted, provider_cost_nano, end_customer_id, tag_ids, run_id,
      cached_from, cached_percent, end_user)
    SELECT r.id, r.wallet_id, r.key_id, r.user_id, r.organization_id, r.member_id, r.team_id, r.session_id, r.app_name, r.endpoint, r.model,
      r.provider, r.upstream_model, r.upstream_status, r.finish_reason, r.native_finish_reason, coalesce(r.streamed, false), coalesce(r.cancelled, false),
      coalesce(r.is_byok, false), coalesce(r.is_failover, false), r.started_at, r.first_token_ms, r.duration_ms, coalesce(r.uncached_input, 0),
      coalesce(r.cache_read, 0), coalesce(r.cache_write_5m, 0), coalesce(r.cache_write_1h, 0), coalesce(r.audio_input, 0), coalesce(r.text_output, 0), coalesce(r.reasoning_output, 0), coalesce(r.image_output, 0),
      coalesce(r.audio_output, 0), coalesce(r.held_nano, 0), coalesce(c.cost, r.cost_nano, 0), coalesce(r.cache_discount_nano, 0), r.price_id, r.refund_reason, r.attempts, r.routing, r.media,
      coalesce(r.absorbed_nano, 0) + coalesce(r.cost_nano - c.cost, 0), coalesce(r.usage_doubted, false),
      r.provider_cost_nano, r.end_customer_id, r.tag_ids, r.run_id, r.cached_from, r.cached_percent,
      -- A request that ends after its person was deleted names no user. The lock on the wallet made the deletion wait
      -- for this settle, or this settle for the deletion.
      CASE WHEN r.end_user IS NOT NULL THEN (SELECT r.end_user FROM wallets w
        LEFT JOIN users p ON w.owner_kind = 'user' AND p.id = w.owner_id
        WHERE w.id = r.wallet_id AND (p.email LIKE 'deleted:%') IS NOT TRUE) END
    FROM json_populate_recordset(NULL::generations, records) AS r
    LEFT JOIN unnest(cut_ids, cut_costs) AS c (id, cost) ON c.id = r.id
    ON CONFLICT (id) DO NOTHING
    RETURNING g.id, g.wallet_id, g.key_id, g.organization_id, g.member_id, g.team_id, g.session_id, g.end_customer_id, g.run_id, g.model, g.cost_nano, g.absorbed_nano, g.started_at,
      g.uncached_input + g.cache_read + g.cache_write_5m + g.cache_write_1h + g.audio_input AS prompt_tokens,
      g.text_output + g.reasoning_output + g.image_output + g.audio_output AS completion_tokens
  ), closed AS (
    DELETE FROM holds h USING unnest(ids) AS u (id) WHERE h.id = u.id RETURNING h.*
  ), moved AS (
    -- All parts of the statement see the wallet as it was before, so the charges of one batch are subtracted one after
    -- another.
    INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, end_customer_id, amount_nano, balance_after_nano)
    SELECT f.id, 0, f.wallet_id, 'charge', CASE WHEN p.id IS NULL THEN 'wallet' ELSE 'customers' END, 'usage', p.payer, f.cost_nano,
      (w.balance_nano - sum(f.cost_nano) OVER (PARTITION BY f.wallet_id ORDER BY f.id))::bigint
    FROM fresh f LEFT JOIN wallets w ON w.id = f.wallet_id LEFT JOIN unnest(prepaid_ids, payers) AS p (id, payer) ON p.id = f.id
    WHERE f.cost_nano > 0
  ), wallet_changes AS (
    UPDATE wallets w SET balance_nano = w.balance_nano - n.cost, charged_nano = w.charged_nano + n.cost,
      held_nano = w.held_nano - n.held - n.prepaid, customers_nano = w.customers_nano - n.prepaid
    FROM (SELECT c.wallet_id, sum(c.cost)::bigint AS cost, sum(c.held)::bigint AS held, sum(c.prepaid)::bigint AS prepaid FROM (
            SELECT f.wallet_id, f.cost_nano AS cost, 0::bigint AS held,
              CASE WHEN f.id = ANY (prepaid_ids) THEN f.cost_nano ELSE 0 END AS prepaid FROM fresh f
            UNION ALL SELECT d.wallet_id, 0, d.amount_nano, 0 FROM closed d WHERE NOT is_prepaid(d.window_kinds)) AS c GROUP BY 1) AS n
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
      f.prompt_tokens, f.completion_tokens, f.end_customer_id, f.run_id, f.model)::settled_share)
      FILTER (WHERE f.organization_id IS NOT NULL OR f.end_customer_id IS NOT NULL OR f.run_id IS NOT NULL)
  INTO fresh_ids, fresh_costs, fresh_absorbed, shares FROM fresh f;
  RETURN QUERY SELECT u.id, u.cost, u.absorbed FROM unnest(fresh_ids, fresh_costs, fresh_absorbed) AS u (id, cost, absorbed);
  -- For generations that were already settled, the first cost is returned. The join goes id by id, so that each lookup
  -- opens only its own partition.
  IF cardinality(fresh_ids) < cardinality(ids) THEN
    RETURN QUERY SELECT g.id, g.cost_nano, g.absorbed_nano FROM unnest(ids) AS u (id) CROSS JOIN LATERAL (
      SELECT s.id, s.cost_nano, s.absorbed_nano FROM generations s WHERE s.id = u.id OFFSET 0) AS g
      WHERE NOT u.id = ANY (fresh_ids);
  END IF;

  -- A separate statement, so that batches of personal requests without end customers and runs do not run it at all.
  IF shares IS NOT NULL THEN
    INSERT INTO spend_days AS d (kind, owner_id, day, spent_nano, requests, tokens, last_at)
      SELECT o.kind, o.owner_id, (s.started_at AT TIME ZONE 'UTC')::date, sum(s.cost_nano), count(*), sum(s.prompt_tokens + s.completion_tokens),
        max(s.started_at)
      FROM unnest(shares) AS s
      CROSS JOIN LATERAL (VALUES ('member', s.member_id), ('team', s.team_id), ('organization', s.organization_id),
        ('customer', s.end_customer_id)) AS o (kind, owner_id)
      WHERE o.owner_id IS NOT NULL GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
      ON CONFLICT (kind, owner_id, day) DO UPDATE SET
        spent_nano = d.spent_nano + excluded.spent_nano, requests = d.requests + excluded.requests,
        tokens = d.tokens + excluded.tokens, last_at = greatest(d.last_at, excluded.last_at);
    IF EXISTS (SELECT 1 FROM unnest(shares) AS s WHERE s.session_id IS NOT NULL) THEN
      WITH used AS (
        UPDATE institution_sessions i SET tokens_used = i.tokens_used + n.tokens
        FROM (SELECT s.session_id, sum(s.prompt_tokens + s.completion_tokens) AS tokens FROM unnest(shares) AS s WHERE s.session_id IS NOT NULL
              GROUP BY 1 ORDER BY 1) AS n
        WHERE i.id = n.session_id
        RETURNING i.id, coalesce(i.person_id, i.id) AS person_id, i.key_id
      )
      INSERT INTO institution_person_months AS p (person_id, month, key_id, spent_nano)
        SELECT u.person_id, date_trunc('month', s.started_at AT TIME ZONE 'UTC')::date, u.key_id, sum(s.cost_nano)
        FROM unnest(shares) AS s JOIN used u ON u.id = s.session_id GROUP BY 1, 2, 3 ORDER BY 1, 2
        ON CONFLICT (person_id, month) DO UPDATE SET spent_nano = p.spent_nano + excluded.spent_nano;
    END IF;
    -- A request counts in its run and in every run above it.
    IF EXISTS (SELECT 1 FROM unnest(shares) AS s WHERE s.run_id IS NOT NULL) THEN
      INSERT INTO spend_days AS d (kind, owner_id, day, spent_nano, requests, tokens, last_at)
        SELECT 'run', p.id, (s.started_at AT TIME ZONE 'UTC')::date, sum(s.cost_nano), count(*),
          sum(s.prompt_tokens + s.completion_tokens), max(s.started_at)
        FROM unnest(shares) AS s JOIN runs r ON r.id = s.run_id CROSS JOIN LATERAL unnest(r.path) AS p (id)
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (kind, owner_id, day) DO UPDATE SET
          spent_nano = d.spent_nano + excluded.spent_nano, requests = d.requests + excluded.requests,
          tokens = d.tokens + excluded.tokens, last_at = greatest(d.last_at, excluded.last_at);
      INSERT INTO run_models AS m (run_id, model, spent_nano, requests, prompt_tokens, completion_tokens)
        SELECT p.id, s.model, sum(s.cost_nano), count(*), sum(s.prompt_tokens), sum(s.completion_tokens)
        FROM unnest(shares) AS s JOIN runs r ON r.id = s.run_id CROSS JOIN LATERAL unnest(r.path) AS p (id)
        GROUP BY 1, 2 ORDER BY 1, 2
        ON CONFLICT (run_id, model) DO UPDATE SET
          spent_nano = m.spent_nano + excluded.spent_nano, requests = m.requests + excluded.requests,
          prompt_tokens = m.prompt_tokens + excluded.prompt_tokens,
          completion_tokens = m.completion_tokens + excluded.completion_tokens;
    END IF;
  END IF;
END $$;

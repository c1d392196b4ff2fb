-- Settles the generations of persons whose hold covers the charge and has no windows, and returns their ids.
-- `settle_generations` handles all others.
--
-- A generation is settled by the statement that deletes its hold. A generation that is already settled may have a hold
-- again, from a duplicate statement that arrived late. Its primary key then fails the batch, and `settle_generations`
-- settles it: looking for such generations would cost every batch a search of all partitions.
--
-- `provider_costs` has an element for each entry, or is null if no entry has a provider cost of its own.
CREATE OR REPLACE FUNCTION settle_plain_generations(entries plain_generation[], provider_costs bigint[]) RETURNS SETOF uuid LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
  WITH closed AS (
    -- In the order in which `settle_generations` locks them.
    DELETE FROM holds h USING (
      SELECT u.*, provider_costs[u.ordinality] AS provider_cost_nano FROM unnest(entries) WITH ORDINALITY AS u ORDER BY u.id
    ) AS e
    WHERE h.id = e.id AND h.wallet_id = e.wallet_id AND h.amount_nano >= e.cost_nano AND h.window_kinds IS NULL
    RETURNING h.amount_nano, e.*
  ), stored AS (
    INSERT INTO generations (
      id, wallet_id, key_id, user_id, session_id, app_name, endpoint, model, provider, upstream_model, upstream_status,
      finish_reason, native_finish_reason, streamed, cancelled, is_byok, is_failover, started_at, first_token_ms,
      duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output,
      reasoning_output, image_output, audio_output, held_nano, cost_nano, cache_discount_nano, price_id, refund_reason,
      attempts, routing, media, absorbed_nano, usage_doubted, provider_cost_nano)
    SELECT c.id, c.wallet_id, c.key_id, c.user_id, c.session_id, c.app_name, c.endpoint, c.model, c.provider,
      c.upstream_model, c.upstream_status, c.finish_reason, c.native_finish_reason, c.streamed, c.cancelled, c.is_byok,
      c.is_failover, c.started_at, c.first_token_ms, c.duration_ms, c.uncached_input, c.cache_read, c.cache_write_5m,
      c.cache_write_1h, c.audio_input, c.text_output, c.reasoning_output, c.image_output, c.audio_output, c.held_nano,
      c.cost_nano, c.cache_discount_nano, c.price_id, c.refund_reason, c.attempts, c.routing, c.media, c.absorbed_nano,
      c.usage_doubted, c.provider_cost_nano
    FROM closed c
  ), paid AS (
    UPDATE wallets w SET balance_nano = w.balance_nano - n.cost, charged_nano = w.charged_nano + n.cost, held_nano = w.held_nano - n.held
    FROM (SELECT c.wallet_id, sum(c.cost_nano)::bigint AS cost, sum(c.amount_nano)::bigint AS held FROM closed c
          GROUP BY 1 ORDER BY 1) AS n
    WHERE w.id = n.wallet_id
    RETURNING w.id, w.balance_nano
  ), moved AS (
    -- The charges of one wallet are subtracted one after another.
    INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, balance_after_nano)
    SELECT c.id, 0, c.wallet_id, 'charge', 'wallet', 'usage', c.cost_nano,
      (p.balance_nano + sum(c.cost_nano) OVER (PARTITION BY c.wallet_id ORDER BY c.id DESC) - c.cost_nano)::bigint
    FROM closed c JOIN paid p ON p.id = c.wallet_id WHERE c.cost_nano > 0
  ), used AS (
    -- The join makes the wallets be locked first, so batches of several processes cannot deadlock on days of keys.
    SELECT c.key_id, (c.started_at AT TIME ZONE 'UTC')::date AS day, sum(c.cost_nano) AS spent, count(*) AS requests,
      sum(c.uncached_input + c.cache_read + c.cache_write_5m + c.cache_write_1h + c.audio_input) AS prompt,
      sum(c.text_output + c.reasoning_output + c.image_output + c.audio_output) AS completion
    FROM closed c JOIN paid p ON p.id = c.wallet_id GROUP BY 1, 2
  ), counted AS (
    UPDATE key_usage_days k SET spent_nano = k.spent_nano + u.spent, requests = k.requests + u.requests,
      prompt_tokens = k.prompt_tokens + u.prompt, completion_tokens = k.completion_tokens + u.completion, last_used_at = now()
    FROM used u WHERE k.key_id = u.key_id AND k.day = u.day RETURNING k.key_id, k.day
  ), opened AS (
    INSERT INTO key_usage_days AS k (key_id, day, spent_nano, requests, prompt_tokens, completion_tokens, last_used_at)
    SELECT u.key_id, u.day, u.spent, u.requests, u.prompt, u.completion, now() FROM used u
    WHERE NOT EXISTS (SELECT 1 FROM counted c WHERE c.key_id = u.key_id AND c.day = u.day)
    ON CONFLICT (key_id, day) DO UPDATE SET
      spent_nano = k.spent_nano + excluded.spent_nano, requests = k.requests + excluded.requests,
      prompt_tokens = k.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = k.completion_tokens + excluded.completion_tokens, last_used_at = excluded.last_used_at
  )
  SELECT c.id FROM closed c;
END $$;

-- Settles one generation as `settle_plain_generations` does. Returns whether it did. That function's work for batches
-- would cost a plain request more than its own work.
CREATE OR REPLACE FUNCTION settle_plain_generation(entry plain_generation, provider_cost bigint) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  held bigint;
  balance bigint;
BEGIN
  DELETE FROM holds h
    WHERE h.id = entry.id AND h.wallet_id = entry.wallet_id AND h.amount_nano >= entry.cost_nano AND h.window_kinds IS NULL
    RETURNING h.amount_nano INTO held;
  IF NOT FOUND THEN RETURN false; END IF;
  INSERT INTO generations (
    id, wallet_id, key_id, user_id, session_id, app_name, endpoint, model, provider, upstream_model, upstream_status,
    finish_reason, native_finish_reason, streamed, cancelled, is_byok, is_failover, started_at, first_token_ms,
    duration_ms, uncached_input, cache_read, cache_write_5m, cache_write_1h, audio_input, text_output,
    reasoning_output, image_output, audio_output, held_nano, cost_nano, cache_discount_nano, price_id, refund_reason,
    attempts, routing, media, absorbed_nano, usage_doubted, provider_cost_nano)
    SELECT entry.*, provider_cost;
  UPDATE wallets w SET balance_nano = w.balance_nano - entry.cost_nano, charged_nano = w.charged_nano + entry.cost_nano,
      held_nano = w.held_nano - held
    WHERE w.id = entry.wallet_id RETURNING w.balance_nano INTO balance;
  IF entry.cost_nano > 0 THEN
    INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, balance_after_nano)
      VALUES (entry.id, 0, entry.wallet_id, 'charge', 'wallet', 'usage', entry.cost_nano, balance);
  END IF;
  UPDATE key_usage_days k SET spent_nano = k.spent_nano + entry.cost_nano, requests = k.requests + 1,
      prompt_tokens = k.prompt_tokens
        + entry.uncached_input + entry.cache_read + entry.cache_write_5m + entry.cache_write_1h + entry.audio_input,
      completion_tokens = k.completion_tokens
        + entry.text_output + entry.reasoning_output + entry.image_output + entry.audio_output,
      last_used_at = now()
    WHERE k.key_id = entry.key_id AND k.day = (entry.started_at AT TIME ZONE 'UTC')::date;
  IF NOT FOUND THEN
    INSERT INTO key_usage_days AS k (key_id, day, spent_nano, requests, prompt_tokens, completion_tokens, last_used_at)
      VALUES (entry.key_id, (entry.started_at AT TIME ZONE 'UTC')::date, entry.cost_nano, 1,
        entry.uncached_input + entry.cache_read + entry.cache_write_5m + entry.cache_write_1h + entry.audio_input,
        entry.text_output + entry.reasoning_output + entry.image_output + entry.audio_output, now());
  END IF;
  RETURN true;
END $$;

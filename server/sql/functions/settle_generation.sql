-- Settles one generation whose hold covers its charge and has no windows. Returns whether it did. `settle_generations`
-- handles all other cases; its work for batches and limits would cost a plain request more than its own work.
--
-- Locks as `place_holds` does. A generation that is already settled may have a hold again, from a duplicate statement
-- that arrived late. This function does not settle such a generation.
CREATE OR REPLACE FUNCTION settle_generation(record json) RETURNS boolean LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  g generations := json_populate_record(NULL::generations, record);
  held bigint;
  balance bigint;
BEGIN
  PERFORM 1 FROM wallets w WHERE w.id = g.wallet_id FOR NO KEY UPDATE;
  g.settled_at := clock_timestamp();
  g.settled_position := settle_position();
  INSERT INTO generations SELECT g.* FROM holds h
    WHERE h.id = g.id AND h.wallet_id = g.wallet_id AND h.amount_nano >= g.cost_nano AND h.window_kinds = '{}'
    ON CONFLICT (id) DO NOTHING;
  IF NOT FOUND THEN RETURN false; END IF;

  DELETE FROM holds h WHERE h.id = g.id RETURNING h.amount_nano INTO held;
  UPDATE wallets w SET balance_nano = w.balance_nano - g.cost_nano, charged_nano = w.charged_nano + g.cost_nano, held_nano = w.held_nano - held
    WHERE w.id = g.wallet_id RETURNING w.balance_nano INTO balance;
  IF g.cost_nano > 0 THEN
    INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, balance_after_nano)
      VALUES (g.id, 0, g.wallet_id, 'charge', 'wallet', 'usage', g.cost_nano, balance);
  END IF;
  INSERT INTO key_usage_days AS k (key_id, day, spent_nano, requests, prompt_tokens, completion_tokens, last_used_at)
    VALUES (g.key_id, (g.started_at AT TIME ZONE 'UTC')::date, g.cost_nano, 1,
      g.uncached_input + g.cache_read + g.cache_write_5m + g.cache_write_1h + g.audio_input,
      g.text_output + g.reasoning_output + g.image_output + g.audio_output, now())
    ON CONFLICT (key_id, day) DO UPDATE SET
      spent_nano = k.spent_nano + excluded.spent_nano, requests = k.requests + 1,
      prompt_tokens = k.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = k.completion_tokens + excluded.completion_tokens, last_used_at = excluded.last_used_at;
  RETURN true;
END $$;

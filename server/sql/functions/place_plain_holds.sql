-- Grants the holds without windows of wallets that have room for everything the batch requests of them. Returns the
-- granted holds; a hold with a larger wish is told the room that its wallet has left beside the batch. `place_holds`
-- judges all other holds, in a transaction of its own: wallets without room are not locked here, and locking them
-- afterwards would break the order by id.
--
-- The update checks the room under the lock that it takes. A lock taken before would be written to the log.
--
-- A hold with a comfort takes more than its amount by the rule of `place_holds`.
CREATE OR REPLACE FUNCTION place_plain_holds(
  ids uuid[], hold_wallets uuid[], hold_keys uuid[], amounts bigint[], estimates bigint[], lease_ms integer,
  wishes bigint[], comforts bigint[]
) RETURNS TABLE (hold_id uuid, room_nano bigint, granted_nano bigint) LANGUAGE plpgsql SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  granted uuid[];
  granted_wallets uuid[];
  rooms bigint[];
  totals bigint[];
  more bigint[];
BEGIN
  WITH taken AS (
    UPDATE wallets w SET held_nano = w.held_nano + n.amount
    FROM (SELECT a.wallet_id, sum(a.amount)::bigint AS amount, greatest(count(*) FILTER (WHERE a.wish > a.amount), 1) AS sharers
          FROM unnest(hold_wallets, amounts, wishes) AS a (wallet_id, amount, wish) GROUP BY 1 ORDER BY 1) AS n
    WHERE w.id = n.wallet_id AND w.balance_nano + w.credit_line_nano - w.expired_nano > 0
      AND w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano >= n.amount
    RETURNING w.id, n.sharers, w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano AS room
  ), given AS (
    SELECT a.*, t.room, CASE WHEN a.comfort IS NULL THEN 0 ELSE greatest(0, least(a.wish - a.amount, t.room / t.sharers,
        greatest(a.comfort - a.amount, floor((t.room / t.sharers - 16::numeric * a.comfort) / 8)))) END::bigint AS more
    FROM unnest(ids, hold_wallets, hold_keys, amounts, estimates, wishes, comforts)
      AS a (id, wallet_id, key_id, amount, estimate, wish, comfort)
    JOIN taken t ON t.id = a.wallet_id
  ), placed AS (
    INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until)
    SELECT g.id, g.wallet_id, g.key_id, g.amount + g.more, g.estimate, clock_timestamp() + lease_ms * interval '1 millisecond'
    FROM given g
  )
  SELECT array_agg(g.id), array_agg(g.wallet_id), array_agg(CASE WHEN g.wish > g.amount THEN g.room END), array_agg(g.amount + g.more), array_agg(g.more)
    INTO granted, granted_wallets, rooms, totals, more FROM given g;
  IF comforts IS NOT NULL THEN
    UPDATE wallets w SET held_nano = w.held_nano + n.more
    FROM (SELECT a.wallet_id, sum(a.more)::bigint AS more FROM unnest(granted_wallets, more) AS a (wallet_id, more)
          GROUP BY 1 HAVING sum(a.more) > 0) AS n
    WHERE w.id = n.wallet_id;
  END IF;
  RETURN QUERY SELECT * FROM unnest(granted, rooms, totals);
END $$;

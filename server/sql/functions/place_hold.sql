-- Checks one hold without windows, with the same result as `place_holds`. That function's work for batches and limits
-- would cost a plain request more than its own work. A hold is granted only if the wallet has room for it.
CREATE OR REPLACE FUNCTION place_hold(
  hold_id uuid, hold_wallet uuid, hold_key uuid, amount bigint, estimate bigint, wish bigint, comfort bigint, lease_ms integer,
  OUT granted_nano bigint, OUT room_nano bigint
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  funds bigint;
  held bigint;
BEGIN
  SELECT w.balance_nano + w.credit_line_nano - w.expired_nano, w.held_nano INTO funds, held FROM wallets w WHERE w.id = hold_wallet FOR NO KEY UPDATE;
  IF NOT FOUND OR funds <= 0 OR funds - held < amount THEN
    room_nano := greatest(coalesce(funds - held, 0), 0);
    RETURN;
  END IF;
  granted_nano := amount;
  IF wish > amount THEN
    room_nano := funds - held - amount;
    IF comfort IS NOT NULL THEN
      granted_nano := amount + greatest(0, least(
        wish - amount, room_nano, greatest(comfort - amount, floor((room_nano - 16::numeric * comfort) / 8)::bigint)));
    END IF;
  END IF;
  UPDATE wallets w SET held_nano = held + granted_nano WHERE w.id = hold_wallet;
  INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until)
    VALUES (hold_id, hold_wallet, hold_key, granted_nano, estimate, clock_timestamp() + lease_ms * interval '1 millisecond');
END $$;

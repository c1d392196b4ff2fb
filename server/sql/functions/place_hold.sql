-- Checks one hold without windows, with the same result as `place_holds`. The work of the functions for batches would
-- cost a plain request more than its own work. A hold is granted only if the wallet has room for it.
CREATE OR REPLACE FUNCTION place_hold(
  hold_id uuid, hold_wallet uuid, hold_key uuid, amount bigint, estimate bigint, wish bigint, comfort bigint, lease_ms integer,
  OUT granted_nano bigint, OUT room_nano bigint
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  -- The update checks the room under the lock that it takes. A lock taken before would be written to the log.
  UPDATE wallets w SET held_nano = w.held_nano + amount
    WHERE w.id = hold_wallet AND w.balance_nano + w.credit_line_nano - w.expired_nano > 0
      AND w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano >= amount
    RETURNING w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano INTO room_nano;
  IF NOT FOUND THEN
    SELECT w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano INTO room_nano FROM wallets w WHERE w.id = hold_wallet;
    room_nano := greatest(coalesce(room_nano, 0), 0);
    RETURN;
  END IF;
  granted_nano := amount;
  IF wish > amount THEN
    IF comfort IS NOT NULL THEN
      granted_nano := amount + greatest(0, least(
        wish - amount, room_nano, greatest(comfort - amount, floor((room_nano - 16::numeric * comfort) / 8)::bigint)));
    END IF;
    IF granted_nano > amount THEN
      UPDATE wallets w SET held_nano = w.held_nano + granted_nano - amount WHERE w.id = hold_wallet;
    END IF;
  ELSE
    room_nano := NULL;
  END IF;
  INSERT INTO holds (id, wallet_id, key_id, amount_nano, estimate_nano, lease_until)
    VALUES (hold_id, hold_wallet, hold_key, granted_nano, estimate, clock_timestamp() + lease_ms * interval '1 millisecond');
END $$;

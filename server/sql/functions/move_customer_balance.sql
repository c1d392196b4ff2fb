-- Moves money between a wallet and the balance of its customer; a negative amount goes back to the wallet. Returns the
-- new balance, or no balance and the room that was too small: only what no request holds can be moved. Locks as
-- `place_holds` does. The wallet's own balance stays, because its customers' balances are a part of it.
CREATE OR REPLACE FUNCTION move_customer_balance(
  transfer_id uuid, wallet uuid, customer uuid, amount bigint, OUT balance_nano bigint, OUT room_nano bigint
) LANGUAGE plpgsql AS $$
DECLARE
  whole bigint;
BEGIN
  SELECT w.balance_nano, w.balance_nano + w.credit_line_nano - w.expired_nano - w.held_nano INTO whole, room_nano
    FROM wallets w WHERE w.id = wallet FOR NO KEY UPDATE;
  PERFORM open_windows(ARRAY['customer_balance'], ARRAY[customer], ARRAY[0::bigint]);
  IF amount < 0 THEN
    SELECT - s.spent_nano - s.held_nano INTO room_nano FROM spend_windows s
      WHERE s.kind = 'customer_balance' AND s.owner_id = customer AND s.starts_at = 0;
  END IF;
  IF room_nano < abs(amount) THEN RETURN; END IF;
  UPDATE wallets w SET held_nano = w.held_nano + amount, customers_nano = w.customers_nano + amount WHERE w.id = wallet;
  UPDATE spend_windows s SET spent_nano = s.spent_nano - amount
    WHERE s.kind = 'customer_balance' AND s.owner_id = customer AND s.starts_at = 0
    RETURNING - s.spent_nano INTO balance_nano;
  INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, balance_after_nano, end_customer_id)
    VALUES (transfer_id, 0, wallet, 'customer_transfer', CASE WHEN amount > 0 THEN 'wallet' ELSE 'customers' END,
      CASE WHEN amount > 0 THEN 'customers' ELSE 'wallet' END, abs(amount), whole, customer);
END $$;

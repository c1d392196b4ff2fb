-- Creates a customer and counts it: 'created', 'exists', 'full' if its wallet has the maximum number of customers, or
-- 'erased' if the person who owns the wallet was deleted. The lock on the person makes a running deletion wait for this
-- customer, or this customer for the deletion: otherwise the deletion would miss it. The lock on the count serializes
-- the creations of a wallet, so the maximum is exact and each customer counts once.
CREATE OR REPLACE FUNCTION create_end_customer(
  customer_id uuid, wallet uuid, external text, shown_name text,
  day_limit bigint, month_limit bigint, total_limit bigint, customers_max bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  person uuid;
  counted bigint;
BEGIN
  SELECT w.owner_id INTO person FROM wallets w WHERE w.id = wallet AND w.owner_kind = 'user';
  IF person IS NOT NULL THEN
    PERFORM 1 FROM users u WHERE u.id = person AND u.email NOT LIKE 'deleted:%' FOR KEY SHARE;
    IF NOT FOUND THEN RETURN 'erased'; END IF;
  END IF;
  INSERT INTO end_customer_counts (wallet_id) VALUES (wallet) ON CONFLICT DO NOTHING;
  SELECT n.customers INTO counted FROM end_customer_counts n WHERE n.wallet_id = wallet FOR UPDATE;
  IF EXISTS (SELECT 1 FROM end_customers c WHERE c.wallet_id = wallet AND c.external_id = external) THEN
    RETURN 'exists';
  END IF;
  IF counted >= customers_max THEN RETURN 'full'; END IF;
  INSERT INTO end_customers (id, wallet_id, external_id, name, day_limit_nano, month_limit_nano, total_limit_nano)
    VALUES (customer_id, wallet, external, shown_name, day_limit, month_limit, total_limit);
  UPDATE end_customer_counts SET customers = counted + 1 WHERE wallet_id = wallet;
  RETURN 'created';
END $$;

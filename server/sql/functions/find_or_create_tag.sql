-- The id of a tag, or null if the wallet has the maximum number of tags and this is none of them, or if the person who
-- owns the wallet was deleted. The lock on the person makes a running deletion wait for this tag, or this tag for the
-- deletion. The lock on the count serializes the creations of a wallet, so the maximum is exact.
CREATE OR REPLACE FUNCTION find_or_create_tag(tag_id uuid, wallet uuid, tag_name text, tag_value text, tags_max bigint)
RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
  found_id uuid;
  person uuid;
  counted bigint;
BEGIN
  SELECT t.id INTO found_id FROM wallet_tags t WHERE t.wallet_id = wallet AND t.name = tag_name AND t.value = tag_value;
  IF found_id IS NOT NULL THEN RETURN found_id; END IF;
  SELECT w.owner_id INTO person FROM wallets w WHERE w.id = wallet AND w.owner_kind = 'user';
  IF person IS NOT NULL THEN
    PERFORM 1 FROM users u WHERE u.id = person AND u.email NOT LIKE 'deleted:%' FOR KEY SHARE;
    IF NOT FOUND THEN RETURN NULL; END IF;
  END IF;
  INSERT INTO wallet_tag_counts (wallet_id) VALUES (wallet) ON CONFLICT DO NOTHING;
  SELECT n.tags INTO counted FROM wallet_tag_counts n WHERE n.wallet_id = wallet FOR UPDATE;
  -- Another request may have created it before the lock.
  SELECT t.id INTO found_id FROM wallet_tags t WHERE t.wallet_id = wallet AND t.name = tag_name AND t.value = tag_value;
  IF found_id IS NOT NULL THEN RETURN found_id; END IF;
  IF counted >= tags_max THEN RETURN NULL; END IF;
  INSERT INTO wallet_tags (id, wallet_id, name, value) VALUES (tag_id, wallet, tag_name, tag_value);
  UPDATE wallet_tag_counts SET tags = counted + 1 WHERE wallet_id = wallet;
  RETURN tag_id;
END $$;

-- Creates a run and counts it: 'created', 'exists', 'full' if its wallet has the maximum number of runs, 'erased' if
-- the person who owns the wallet was deleted, 'orphan' if its parent is unknown, 'deep' if its parent has the maximum
-- depth, or 'stopped' if its parent is stopped. The lock on the person makes a running deletion wait for this run, or
-- this run for the deletion. The lock on the count serializes the creations of a wallet, so the maximum is exact. The
-- locks on the parent and its ancestors make a stop of any of them wait for this run, or this run for the stop:
-- otherwise the stop would miss it.
CREATE OR REPLACE FUNCTION create_run(
  run_id uuid, wallet uuid, external text, parent text, creator uuid, budget bigint,
  calls_per_minute integer, repeats integer, runs_max bigint
) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  person uuid;
  counted bigint;
  above runs%ROWTYPE;
BEGIN
  SELECT w.owner_id INTO person FROM wallets w WHERE w.id = wallet AND w.owner_kind = 'user';
  IF person IS NOT NULL THEN
    PERFORM 1 FROM users u WHERE u.id = person AND u.email NOT LIKE 'deleted:%' FOR KEY SHARE;
    IF NOT FOUND THEN RETURN 'erased'; END IF;
  END IF;
  INSERT INTO run_counts (wallet_id) VALUES (wallet) ON CONFLICT DO NOTHING;
  SELECT n.runs INTO counted FROM run_counts n WHERE n.wallet_id = wallet FOR UPDATE;
  IF EXISTS (SELECT 1 FROM runs r WHERE r.wallet_id = wallet AND r.external_id = external) THEN
    RETURN 'exists';
  END IF;
  IF counted >= runs_max THEN RETURN 'full'; END IF;
  IF parent IS NOT NULL THEN
    SELECT * INTO above FROM runs r WHERE r.wallet_id = wallet AND r.external_id = parent;
    IF NOT FOUND THEN RETURN 'orphan'; END IF;
    IF cardinality(above.path) >= 8 THEN RETURN 'deep'; END IF;
    -- The first run is locked first, as a stop does.
    PERFORM 1 FROM runs r WHERE r.id = ANY (above.path) ORDER BY cardinality(r.path) FOR SHARE;
    -- A worker may have deleted the parent before the lock.
    IF NOT EXISTS (SELECT 1 FROM runs r WHERE r.id = above.id) THEN RETURN 'orphan'; END IF;
    IF EXISTS (SELECT 1 FROM runs r WHERE r.id = ANY (above.path) AND r.stopped_at IS NOT NULL) THEN
      RETURN 'stopped';
    END IF;
  END IF;
  INSERT INTO runs (id, wallet_id, external_id, parent_id, path, key_id, budget_nano,
      calls_per_minute_max, repeats_max)
    VALUES (run_id, wallet, external, above.id, run_id || coalesce(above.path, '{}'), creator, budget,
      calls_per_minute, repeats);
  UPDATE run_counts SET runs = counted + 1 WHERE wallet_id = wallet;
  RETURN 'created';
END $$;

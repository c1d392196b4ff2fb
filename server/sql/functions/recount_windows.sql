-- Recounts the open windows of these owners from stored sums. It runs in the transaction that enables or changes a
-- limit, because nothing was counted while the limit was off. A separate statement locks the windows: a concurrent
-- settle is then either complete, and visible to the next statement, or has not started counting.
CREATE OR REPLACE FUNCTION recount_windows(kinds text[], owners uuid[]) RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  -- A gateway's clock may be a little behind this one.
  late timestamptz := clock_timestamp() - interval '5 s';
  open_kinds text[];
  open_owners uuid[];
  open_starts bigint[];
BEGIN
  SELECT array_agg(x.kind), array_agg(x.owner_id), array_agg(x.starts_at) INTO open_kinds, open_owners, open_starts FROM (
    SELECT s.kind, s.owner_id, s.starts_at
    FROM (SELECT k.kind, o.owner, extract(epoch FROM late - CASE split_part(k.kind, '_', 2)
            WHEN 'life' THEN interval '1000 years' WHEN 'month' THEN interval '31 days'
            ELSE ('1 ' || split_part(k.kind, '_', 2))::interval END) * 1000 AS opened_after
          FROM unnest(kinds) AS k (kind), unnest(owners) AS o (owner)) AS n
    JOIN spend_windows s ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at > n.opened_after
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s) AS x;
  UPDATE spend_windows s SET spent_nano = stored_spend(s.kind, s.owner_id, s.starts_at)
    FROM unnest(open_kinds, open_owners, open_starts) AS n (kind, owner, starts_at)
    WHERE s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at;
END $$;

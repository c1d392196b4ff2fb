-- Creates the missing window rows, seeded from stored sums, and locks all of them in order. The caller names each
-- window once.
CREATE OR REPLACE FUNCTION open_windows(kinds text[], owners uuid[], starts bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO spend_windows AS s (kind, owner_id, starts_at, spent_nano)
    SELECT n.kind, n.owner, n.starts_at, stored_spend(n.kind, n.owner, n.starts_at)
    FROM unnest(kinds, owners, starts) AS n (kind, owner, starts_at)
    WHERE NOT EXISTS (SELECT 1 FROM spend_windows e
                      WHERE e.kind = n.kind AND e.owner_id = n.owner AND e.starts_at = n.starts_at)
    ORDER BY 1, 2, 3
    ON CONFLICT DO NOTHING;
  PERFORM 1 FROM spend_windows s
    JOIN unnest(kinds, owners, starts) AS n (kind, owner, starts_at)
      ON s.kind = n.kind AND s.owner_id = n.owner AND s.starts_at = n.starts_at
    ORDER BY s.kind, s.owner_id, s.starts_at FOR UPDATE OF s;
END $$;

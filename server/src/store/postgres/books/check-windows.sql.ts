import { sqlCheck } from './check.ts'

/** Windows of limits hold what the open holds that count in them do; breakers, their estimates. */
export const checkWindows = sqlCheck({
  text: `SELECT coalesce(c.wallet_id, k.wallet_id, w.id) AS "walletId", 'a window holds the sum of the holds that count in it' AS what,
      'spend_windows' AS table, NULL AS day,
      concat_ws(' ', coalesce(s.kind, c.kind), coalesce(s.owner_id, c.owner_id), coalesce(s.starts_at, c.starts_at)) AS subject,
      coalesce(c.held, 0)::text AS expected, coalesce(s.held_nano::text, 'no window') AS found
    FROM spend_windows s
    FULL JOIN (SELECT x.kind, x.owner_id, x.starts_at, 
                 sum(CASE WHEN is_breaker(x.kind) THEN h.estimate_nano ELSE h.amount_nano END) AS held, min(h.wallet_id::text)::uuid AS wallet_id
               FROM holds h, unnest(h.window_kinds, h.window_owners, h.window_starts) AS x (kind, owner_id, starts_at)
               GROUP BY 1, 2, 3) AS c ON c.kind = s.kind AND c.owner_id = s.owner_id AND c.starts_at = s.starts_at
    LEFT JOIN api_keys k ON k.id = s.owner_id
    LEFT JOIN teams t ON t.id = s.owner_id
    LEFT JOIN members m ON m.id = s.owner_id
    LEFT JOIN wallets w ON w.owner_id = coalesce(t.organization_id, m.organization_id, s.owner_id)
    WHERE coalesce(c.held, 0) IS DISTINCT FROM s.held_nano ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT h.id, h.key_id, h.amount_nano, h.estimate_nano, h.lease_until::text
    FROM holds h, unnest(h.window_kinds, h.window_owners, h.window_starts) AS x (kind, owner_id, starts_at)
    WHERE concat_ws(' ', x.kind, x.owner_id, x.starts_at) = $1 ORDER BY h.id`,
  rowsValues: ({ subject }) => [subject],
})

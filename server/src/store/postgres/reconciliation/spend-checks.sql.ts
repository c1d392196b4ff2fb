import { type Check, sqlCheck } from './check.ts'

/** Holds end when their request is settled or their lease expires. `overdueMs` is how late the sweeper may be. */
export function checkHolds(overdueMs: number): Check {
  // Leases are judged at now(), when the snapshot was opened: later renewals are not visible in it.
  return sqlCheck({
    text: `SELECT h.wallet_id AS "walletId", 'a settled request must have no hold' AS what, 'holds' AS table, NULL AS day,
        h.id::text AS subject, '0' AS expected, h.amount_nano::text AS found
      FROM holds h JOIN generations g ON g.id = h.id
      UNION ALL SELECT h.wallet_id, 'a hold must end with its lease', 'holds', NULL, h.id::text, '<= ' || $1::text || ' ms',
        floor(extract(epoch FROM now() - h.lease_until) * 1000)::text || ' ms'
      FROM holds h WHERE h.lease_until < now() - $1::integer * interval '1 millisecond'
      ORDER BY 1, 2, 5`,
    values: () => [overdueMs],
    rowsText: `SELECT h.id, h.key_id, h.amount_nano, h.placed_at::text, h.lease_until::text, g.settled_at::text
      FROM holds h LEFT JOIN generations g ON g.id = h.id WHERE h.id = $1`,
    rowsValues: ({ subject }) => [subject],
  })
}

/**
 * The windows of limits hold the sum of the open holds that count in them; the windows of breakers hold the estimates
 * of those holds.
 */
export const checkWindows = sqlCheck({
  text: `SELECT coalesce(c.wallet_id, k.wallet_id, w.id) AS "walletId", 'a limit window must equal the sum of its holds' AS what,
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

/** The sums behind key limits agree with the generations, as far as they are kept. */
export const checkKeyDays = sqlCheck({
  text: `SELECT coalesce(u.wallet_id, k.wallet_id) AS "walletId", 'daily spend of a key must equal its generation costs' AS what,
      'key_usage_days' AS table, coalesce(d.day, u.day)::text AS day, coalesce(d.key_id, u.key_id)::text AS subject,
      coalesce(u.spent, 0)::text AS expected, coalesce(d.spent_nano::text, 'no day') AS found
    FROM (SELECT * FROM key_usage_days WHERE day >= $2) AS d
    FULL JOIN (SELECT key_id, (started_at AT TIME ZONE 'UTC')::date AS day, sum(cost_nano) AS spent, min(wallet_id::text)::uuid AS wallet_id
               FROM generations WHERE id >= $1 AND (started_at AT TIME ZONE 'UTC')::date >= $2 GROUP BY 1, 2) AS u
      ON u.key_id = d.key_id AND u.day = d.day
    LEFT JOIN api_keys k ON k.id = d.key_id
    WHERE coalesce(u.spent, 0) IS DISTINCT FROM d.spent_nano ORDER BY 1, 4, 5`,
  values: ({ firstKeptId, retainedFrom }) => [firstKeptId, retainedFrom],
  rowsText: `SELECT id, wallet_id, cost_nano, model, started_at::text FROM generations
    WHERE id >= $1 AND key_id = $2 AND (started_at AT TIME ZONE 'UTC')::date = $3 ORDER BY id`,
  rowsValues: ({ subject, day }, { firstKeptId }) => [firstKeptId, subject, day],
})

/** A request counts in its run and in every run above it. */
const holders = `(VALUES ('member', g.member_id), ('team', g.team_id), ('organization', g.organization_id),
      ('customer', g.end_customer_id)
    UNION ALL SELECT 'run', p.id FROM runs r CROSS JOIN LATERAL unnest(r.path) AS p (id) WHERE r.id = g.run_id
  ) AS o (kind, owner_id)`

/** The sums behind budgets, limits of end customers and runs agree with the generations, as far as they are kept. */
export const checkSharedDays = sqlCheck({
  text: `SELECT h.wallet_id AS "walletId", 'daily spend of a member, team, organization, end customer or run must equal its generation costs' AS what,
      'spend_days' AS table, coalesce(d.day, h.day)::text AS day,
      concat_ws(' ', coalesce(d.kind, h.kind), coalesce(d.owner_id, h.owner_id)) AS subject,
      coalesce(h.spent, 0)::text AS expected, coalesce(d.spent_nano::text, 'no day') AS found
    FROM (SELECT * FROM spend_days WHERE day >= $2) AS d
    FULL JOIN (SELECT o.kind, o.owner_id, (g.started_at AT TIME ZONE 'UTC')::date AS day, sum(g.cost_nano) AS spent,
                 min(g.wallet_id::text)::uuid AS wallet_id
               FROM generations g CROSS JOIN LATERAL ${holders}
               WHERE g.id >= $1 AND o.owner_id IS NOT NULL
                 AND (g.organization_id IS NOT NULL OR g.end_customer_id IS NOT NULL OR g.run_id IS NOT NULL)
                 AND (g.started_at AT TIME ZONE 'UTC')::date >= $2 GROUP BY 1, 2, 3) AS h
      ON h.kind = d.kind AND h.owner_id = d.owner_id AND h.day = d.day
    WHERE coalesce(h.spent, 0) IS DISTINCT FROM d.spent_nano ORDER BY 1, 4, 5`,
  values: ({ firstKeptId, retainedFrom }) => [firstKeptId, retainedFrom],
  rowsText: `SELECT g.id, g.wallet_id, g.key_id, g.cost_nano, g.started_at::text FROM generations g CROSS JOIN LATERAL ${holders}
    WHERE g.id >= $1 AND concat_ws(' ', o.kind, o.owner_id) = $2 AND (g.started_at AT TIME ZONE 'UTC')::date = $3 ORDER BY g.id`,
  rowsValues: ({ subject, day }, { firstKeptId }) => [firstKeptId, subject, day],
})

/** Both sums of a run are written by each settle: by day and by model. */
export const checkRunModels = sqlCheck({
  text: `SELECT r.wallet_id AS "walletId", 'spend of a run by model must equal its daily spend' AS what,
      'run_models' AS table, NULL AS day, r.id::text AS subject, coalesce(d.spent, 0)::text AS expected,
      coalesce(m.spent, 0)::text AS found
    FROM runs r
    LEFT JOIN (SELECT owner_id, sum(spent_nano) AS spent FROM spend_days WHERE kind = 'run' GROUP BY 1) AS d ON d.owner_id = r.id
    LEFT JOIN (SELECT run_id, sum(spent_nano) AS spent FROM run_models GROUP BY 1) AS m ON m.run_id = r.id
    WHERE coalesce(d.spent, 0) <> coalesce(m.spent, 0) ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT model, spent_nano, requests FROM run_models WHERE run_id = $1::uuid ORDER BY model`,
  rowsValues: ({ subject }) => [subject],
})

const tables = ['usage_days', 'usage_account_days', 'usage_months', 'usage_hours']
const strays = tables
  .map(
    (table) => `SELECT f.wallet_id, '${table}' AS name, f.series_id, s.wallet_id AS owner, count(*) AS sums
      FROM ${table} f LEFT JOIN usage_series s ON s.id = f.series_id WHERE s.wallet_id IS DISTINCT FROM f.wallet_id GROUP BY 1, 2, 3, 4`,
  )
  .join(' UNION ALL ')

/** Pages find sums by their series: a sum without a series, or with another wallet's, would never be seen. */
export const checkSeries = sqlCheck({
  text: `SELECT wallet_id AS "walletId", 'rollups must belong to a series of their wallet' AS what, name AS table, NULL AS day,
      series_id::text AS subject, wallet_id::text AS expected, coalesce(owner::text, 'no series') AS found
    FROM (${strays}) AS strays ORDER BY 1, 3, 5`,
  values: () => [],
  rowsText: `SELECT name AS table, series_id, owner AS wallet_of_series, sums FROM (${strays}) AS strays
    WHERE wallet_id = $1 ORDER BY 1, 2`,
  rowsValues: ({ walletId }) => [walletId],
})

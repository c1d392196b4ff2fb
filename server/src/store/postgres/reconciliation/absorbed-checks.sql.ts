import type { UnbilledRules } from '#domain/limits/unbilled.ts'
import { type Check, sqlCheck } from './check.ts'

/**
 * Once a wallet has reached its daily limit of absorbed costs, the operator absorbs none of the cost of requests that
 * begin later. The check allows a minute for gateways that count without Redis and for spooled settles. The limit of
 * the whole day applies, and it only grows. With a day, the check reads only requests of that day and later.
 */
export function checkAbsorbed({ allowance, percent }: UnbilledRules, sinceDay = '-infinity'): Check {
  return sqlCheck({
    text: `WITH absorbed AS (
        SELECT wallet_id, id, started_at, settled_at, absorbed_nano, (started_at AT TIME ZONE 'UTC')::date AS day
        FROM generations WHERE id >= ${firstId} AND absorbed_nano > 0
      ), bounds AS (
        SELECT g.wallet_id, (g.started_at AT TIME ZONE 'UTC')::date AS day, greatest($2::numeric, sum(g.cost_nano) * $3 / 100) AS bound
        FROM generations g WHERE g.id >= ${firstId} AND g.wallet_id IN (SELECT wallet_id FROM absorbed) GROUP BY 1, 2
      ), used_up AS (
        SELECT s.wallet_id, s.day, min(s.settled_at) AS at FROM (
          SELECT a.*, sum(a.absorbed_nano) OVER (PARTITION BY a.wallet_id, a.day ORDER BY a.settled_at) AS total FROM absorbed a
        ) AS s JOIN bounds b ON b.wallet_id = s.wallet_id AND b.day = s.day WHERE s.total > b.bound GROUP BY 1, 2
      )
      SELECT a.wallet_id AS "walletId", 'requests that begin after their wallet reached its daily limit are never absorbed' AS what,
        'generations' AS table, a.day::text AS day, a.id::text AS subject, '0' AS expected, a.absorbed_nano::text AS found
      FROM absorbed a JOIN used_up u ON u.wallet_id = a.wallet_id AND u.day = a.day
      WHERE a.started_at > u.at + interval '1 minute' ORDER BY 1, 4, 5`,
    values: ({ firstKeptId }) => [firstKeptId, allowance, percent, sinceDay],
    rowsText: `SELECT id, key_id, model, cost_nano, absorbed_nano, usage_doubted, started_at::text, settled_at::text
      FROM generations WHERE id = $1`,
    rowsValues: ({ subject }) => [subject],
  })
}

/** Ids are ordered by time and determine the partitions to read. */
const firstId = `greatest($1::uuid, CASE WHEN isfinite($4::date) THEN first_id_at($4::date::timestamp AT TIME ZONE 'UTC') ELSE $1::uuid END)`

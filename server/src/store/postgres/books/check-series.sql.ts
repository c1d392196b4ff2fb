import { sqlCheck } from './check.ts'

const tables = ['usage_days', 'usage_account_days', 'usage_months', 'usage_hours']
const strays = tables
  .map(
    (table) => `SELECT f.wallet_id, '${table}' AS name, f.series_id, s.wallet_id AS owner, count(*) AS sums
      FROM ${table} f LEFT JOIN usage_series s ON s.id = f.series_id WHERE s.wallet_id IS DISTINCT FROM f.wallet_id GROUP BY 1, 2, 3, 4`,
  )
  .join(' UNION ALL ')

/** Pages find sums by their series: one without it, or with another wallet's, would be seen by nobody. */
export const checkSeries = sqlCheck({
  text: `SELECT wallet_id AS "walletId", 'sums are of a series of their wallet' AS what, name AS table, NULL AS day,
      series_id::text AS subject, wallet_id::text AS expected, coalesce(owner::text, 'no series') AS found
    FROM (${strays}) AS strays ORDER BY 1, 3, 5`,
  values: () => [],
  rowsText: `SELECT name AS table, series_id, owner AS wallet_of_series, sums FROM (${strays}) AS strays
    WHERE wallet_id = $1 ORDER BY 1, 2`,
  rowsValues: ({ walletId }) => [walletId],
})

import { type Check, sqlCheck } from './check.ts'

const said = `SELECT id AS wallet_id, charged_nano AS charged, 0 AS summed, 0 AS unfolded, credited_nano - charged_nano - balance_nano AS missing
    FROM wallets
    UNION ALL SELECT wallet_id, 0, spent_nano, 0, 0 FROM usage_months
    UNION ALL SELECT wallet_id, 0, 0, cost_nano, 0 FROM generations WHERE settled_mark >= $1`

/** What wallets say of all time, against the sums of all months: the least that can be read to tell. */
export const checkWalletTotals: Check = sqlCheck({
  text: `SELECT wallet_id AS "walletId", v.what, v.name AS table, NULL AS day, NULL AS subject, v.expected, v.found
    FROM (SELECT wallet_id, sum(charged) AS charged, sum(summed) AS summed, sum(unfolded) AS unfolded, sum(missing) AS missing
          FROM (${said}) AS said GROUP BY wallet_id) AS totals
    CROSS JOIN LATERAL (VALUES
      (missing <> 0, 'balance is what was credited less what was charged', 'wallets', '0', missing::text),
      (charged <> summed + unfolded, 'charges are the sums of usage and what waits for the fold', 'usage_months',
        charged::text, (summed + unfolded)::text)
    ) AS v (is_wrong, what, name, expected, found) WHERE v.is_wrong ORDER BY 1, 2`,
  values: ({ foldedBelow }) => [foldedBelow],
  rowsText: `SELECT month::text, sum(requests)::text AS requests, sum(spent_nano)::text AS spent_nano
    FROM usage_months WHERE wallet_id = $1 GROUP BY month
    UNION ALL SELECT 'not folded', count(*)::text, coalesce(sum(cost_nano), 0)::text FROM generations WHERE settled_mark >= $2 AND wallet_id = $1
    ORDER BY 1 DESC`,
  rowsValues: ({ walletId }, { foldedBelow }) => [walletId, foldedBelow],
})

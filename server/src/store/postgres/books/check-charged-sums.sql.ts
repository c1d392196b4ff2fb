import type { Discrepancy } from '#ports/books.ts'
import { type Check, monthOf, sqlCheck } from './check.ts'
import { dayOfId } from './day-of-id.ts'

const charges = `SELECT wallet_id, amount_nano AS charged, 0 AS summed, 0 AS unfolded, id, NULL::date AS day
    FROM ledger_transfers WHERE kind = 'charge'`
const sums = `SELECT wallet_id, 0, spent_nano, 0, NULL::uuid, day FROM usage_days`
const unfolded = `SELECT wallet_id, 0, 0, cost_nano, NULL::uuid, (started_at AT TIME ZONE 'UTC')::date
    FROM generations WHERE settled_mark >= $1`
const said = [charges, sums, unfolded].join(' UNION ALL ')

/** All that was ever charged is in the sums, or waits for the fold. It holds whatever generations have been dropped. */
const perWallet = sqlCheck({
  text: `SELECT wallet_id AS "walletId", 'charges are the sums of usage and what waits for the fold' AS what,
      'usage_days' AS table, NULL AS day, NULL AS subject, sum(charged)::text AS expected, sum(summed + unfolded)::text AS found
    FROM (${said}) AS said GROUP BY wallet_id HAVING sum(charged) <> sum(summed + unfolded) ORDER BY 1`,
  values: ({ foldedBelow }) => [foldedBelow],
  rowsText: `SELECT coalesce(day, ${dayOfId('id')})::text AS day, sum(charged)::text AS charged_nano,
      sum(summed)::text AS summed_nano, sum(unfolded)::text AS unfolded_nano
    FROM (${said}) AS said WHERE wallet_id = $2 GROUP BY 1 HAVING sum(charged) <> sum(summed + unfolded) ORDER BY 1`,
  rowsValues: ({ walletId }, { foldedBelow }) => [foldedBelow, walletId],
})

/** The check is by wallet; its rows then tell the days. */
export const checkChargedSums: Check = {
  find: perWallet.find,
  async show(books, discrepancy): Promise<Discrepancy> {
    const shown = await perWallet.show(books, discrepancy)
    const day = shown.rows[0]?.['day']
    return typeof day === 'string' ? { ...shown, day, month: monthOf(day) } : shown
  },
}

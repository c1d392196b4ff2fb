import { sqlCheck } from './check.ts'
import { dayOfId } from './day-of-id.ts'

// Of days whose generations are kept.
const unequal = `FROM (SELECT * FROM generations WHERE cost_nano <> 0 AND id >= $1) AS g
    FULL JOIN (SELECT * FROM ledger_transfers WHERE kind = 'charge' AND id >= $1) AS t ON t.id = g.id
    WHERE (g.cost_nano IS DISTINCT FROM t.amount_nano OR g.wallet_id IS DISTINCT FROM t.wallet_id)`

/** Each charge is the cost of a generation, and each generation that cost something was charged. */
export const checkCharges = sqlCheck({
  text: `SELECT coalesce(g.wallet_id, t.wallet_id) AS "walletId", 'a charge is its generation''s cost' AS what,
      'ledger_transfers' AS table, ${dayOfId('coalesce(g.id, t.id)')}::text AS day, coalesce(g.id, t.id)::text AS subject,
      coalesce(g.cost_nano::text, 'no generation') AS expected, coalesce(t.amount_nano::text, 'no charge') AS found
    ${unequal} ORDER BY 1, 5`,
  values: ({ firstKeptId }) => [firstKeptId],
  rowsText: `SELECT coalesce(g.id, t.id)::text AS id, g.wallet_id AS generation_wallet, t.wallet_id AS charged_wallet,
      g.cost_nano, t.amount_nano AS charged_nano, g.key_id, g.model, g.started_at::text, g.settled_at::text, t.created_at::text AS charged_at
    ${unequal} AND $2 IN (g.wallet_id, t.wallet_id) ORDER BY 1`,
  rowsValues: ({ walletId }, { firstKeptId }) => [firstKeptId, walletId],
})

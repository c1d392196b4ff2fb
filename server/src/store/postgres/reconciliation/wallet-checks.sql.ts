import type { Discrepancy } from '#ports/ledger.ts'
import { type Check, dayOfId, monthOf, sqlCheck } from './check.ts'
import { customerBalances } from './customer-checks.sql.ts'

// A charge above its hold, or after its hold expired, may take a wallet below zero. So may refunds and disputes of
// payments whose credit was spent. If generations were dropped, the reason for a wallet's debt at the start of the kept
// days is unknown, so this debt is allowed as well. The first kept day is included, because requests that ran through
// that midnight were settled on it.
const books = `posted AS (
    SELECT wallet_id, sum(amount_nano) AS balance,
      coalesce(-sum(amount_nano) FILTER (WHERE kind = 'charge'), 0) AS charged,
      coalesce(sum(amount_nano) FILTER (WHERE kind <> 'charge'), 0) AS credited,
      coalesce(sum(amount_nano) FILTER (WHERE id < $2), 0) AS old_balance,
      coalesce(-sum(amount_nano) FILTER (WHERE kind IN ('refund', 'dispute', 'dispute_won')), 0) AS gone
    FROM ledger_postings WHERE account IN ('wallet', 'customers') GROUP BY wallet_id
  ), promised AS (
    SELECT wallet_id, sum(held) AS held FROM (
      SELECT wallet_id, amount_nano AS held FROM holds WHERE NOT is_prepaid(window_kinds)
      UNION ALL SELECT wallet_id, balance FROM (${customerBalances}) AS b) AS reserved GROUP BY wallet_id
  ), owed AS (
    SELECT g.wallet_id, sum(CASE WHEN l.id IS NULL THEN greatest(g.cost_nano - g.held_nano, 0) ELSE g.cost_nano END) AS debt
    FROM generations g LEFT JOIN lapsed_holds l ON l.id = g.id WHERE g.id >= $1 GROUP BY g.wallet_id
  ), books AS (
    SELECT coalesce(w.id, p.wallet_id, h.wallet_id) AS wallet_id, w.id IS NOT NULL AS exists,
      coalesce(p.balance, 0) AS balance, coalesce(p.charged, 0) AS charged, coalesce(p.credited, 0) AS credited,
      coalesce(h.held, 0) AS held,
      coalesce(o.debt, 0) + coalesce(p.gone, 0) + CASE WHEN p.old_balance <> 0 THEN greatest(-p.old_balance - w.credit_line_nano, 0) ELSE 0 END AS debt,
      w.balance_nano, w.charged_nano, w.credited_nano, w.held_nano, w.credit_line_nano
    FROM wallets w FULL JOIN posted p ON p.wallet_id = w.id FULL JOIN promised h ON h.wallet_id = coalesce(w.id, p.wallet_id)
    LEFT JOIN owed o ON o.wallet_id = w.id
  )`

/** Wallets equal the sum of their transfers and holds, and hold no more than they have. */
export const checkWallets = sqlCheck({
  text: `WITH ${books}
    SELECT wallet_id AS "walletId", v.what, 'wallets' AS table, NULL AS day, NULL AS subject, v.expected, v.found
    FROM books CROSS JOIN LATERAL (VALUES
      (NOT exists, 'wallet exists', 'true', 'false'),
      (exists AND balance <> balance_nano, 'balance must equal the sum of its postings', balance::text, balance_nano::text),
      (exists AND charged <> charged_nano, 'charged must equal the sum of its charges', charged::text, charged_nano::text),
      (exists AND credited <> credited_nano, 'credited must equal the sum of its credits', credited::text, credited_nano::text),
      (exists AND held <> held_nano, 'held must equal its open holds and customers'' balances', held::text, held_nano::text),
      (exists AND balance_nano + credit_line_nano - held_nano < least(-debt, 0),
        'balance must cover holds, except for recorded debt', '>= ' || (-debt)::text,
        (balance_nano + credit_line_nano - held_nano)::text)
    ) AS v (is_wrong, what, expected, found) WHERE v.is_wrong ORDER BY 1, 2`,
  values: ({ firstKeptId, secondDayId }) => [firstKeptId, secondDayId],
  rowsText: `SELECT kind, debit, credit, count(*)::text AS transfers, sum(amount_nano)::text AS amount_nano
    FROM ledger_transfers WHERE wallet_id = $1 GROUP BY 1, 2, 3
    UNION ALL SELECT 'open holds', NULL, NULL, count(*)::text, coalesce(sum(amount_nano), 0)::text FROM holds WHERE wallet_id = $1`,
  rowsValues: ({ walletId }) => [walletId],
})

const totalsSaid = `SELECT id AS wallet_id, charged_nano AS charged, 0 AS summed, 0 AS pending, credited_nano - charged_nano - balance_nano AS missing
    FROM wallets
    UNION ALL SELECT wallet_id, 0, spent_nano, 0, 0 FROM usage_months
    UNION ALL SELECT wallet_id, 0, 0, cost_nano, 0 FROM generations WHERE settled_position >= $1`

/** All-time totals of wallets against the sums of all months: the cheapest check of both. */
export const checkWalletTotals: Check = sqlCheck({
  text: `SELECT wallet_id AS "walletId", v.what, v.name AS table, NULL AS day, NULL AS subject, v.expected, v.found
    FROM (SELECT wallet_id, sum(charged) AS charged, sum(summed) AS summed, sum(pending) AS pending, sum(missing) AS missing
          FROM (${totalsSaid}) AS said GROUP BY wallet_id) AS totals
    CROSS JOIN LATERAL (VALUES
      (missing <> 0, 'balance must equal credits minus charges', 'wallets', '0', missing::text),
      (charged <> summed + pending, 'charges must equal rollups plus pending usage', 'usage_months',
        charged::text, (summed + pending)::text)
    ) AS v (is_wrong, what, name, expected, found) WHERE v.is_wrong ORDER BY 1, 2`,
  values: ({ rolledUpBelow }) => [rolledUpBelow],
  rowsText: `SELECT month::text, sum(requests)::text AS requests, sum(spent_nano)::text AS spent_nano
    FROM usage_months WHERE wallet_id = $1 GROUP BY month
    UNION ALL SELECT 'not rolled up', count(*)::text, coalesce(sum(cost_nano), 0)::text FROM generations WHERE settled_position >= $2 AND wallet_id = $1
    ORDER BY 1 DESC`,
  rowsValues: ({ walletId }, { rolledUpBelow }) => [walletId, rolledUpBelow],
})

// For days whose generations are kept.
const unequal = `FROM (SELECT * FROM generations WHERE cost_nano <> 0 AND id >= $1) AS g
    FULL JOIN (SELECT * FROM ledger_transfers WHERE kind = 'charge' AND id >= $1) AS t ON t.id = g.id
    WHERE (g.cost_nano IS DISTINCT FROM t.amount_nano OR g.wallet_id IS DISTINCT FROM t.wallet_id)`

/** Each charge is the cost of a generation, and each generation with a cost was charged. */
export const checkCharges = sqlCheck({
  text: `SELECT coalesce(g.wallet_id, t.wallet_id) AS "walletId", 'a charge must equal the cost of its generation' AS what,
      'ledger_transfers' AS table, ${dayOfId('coalesce(g.id, t.id)')}::text AS day, coalesce(g.id, t.id)::text AS subject,
      coalesce(g.cost_nano::text, 'no generation') AS expected, coalesce(t.amount_nano::text, 'no charge') AS found
    ${unequal} ORDER BY 1, 5`,
  values: ({ firstKeptId }) => [firstKeptId],
  rowsText: `SELECT coalesce(g.id, t.id)::text AS id, g.wallet_id AS generation_wallet, t.wallet_id AS charged_wallet,
      g.cost_nano, t.amount_nano AS charged_nano, g.key_id, g.model, g.started_at::text, g.settled_at::text, t.created_at::text AS charged_at
    ${unequal} AND $2 IN (g.wallet_id, t.wallet_id) ORDER BY 1`,
  rowsValues: ({ walletId }, { firstKeptId }) => [firstKeptId, walletId],
})

const charges = `SELECT wallet_id, amount_nano AS charged, 0 AS summed, 0 AS pending, id, NULL::date AS day
    FROM ledger_transfers WHERE kind = 'charge'`
const sums = `SELECT wallet_id, 0, spent_nano, 0, NULL::uuid, day FROM usage_days`
const pending = `SELECT wallet_id, 0, 0, cost_nano, NULL::uuid, (started_at AT TIME ZONE 'UTC')::date
    FROM generations WHERE settled_position >= $1`
const sumsSaid = [charges, sums, pending].join(' UNION ALL ')

/** Every charge is in the sums or waits for the rollup. This holds even after generations have been dropped. */
const perWallet = sqlCheck({
  text: `SELECT wallet_id AS "walletId", 'charges must equal rollups plus pending usage' AS what,
      'usage_days' AS table, NULL AS day, NULL AS subject, sum(charged)::text AS expected, sum(summed + pending)::text AS found
    FROM (${sumsSaid}) AS said GROUP BY wallet_id HAVING sum(charged) <> sum(summed + pending) ORDER BY 1`,
  values: ({ rolledUpBelow }) => [rolledUpBelow],
  rowsText: `SELECT coalesce(day, ${dayOfId('id')})::text AS day, sum(charged)::text AS charged_nano,
      sum(summed)::text AS summed_nano, sum(pending)::text AS pending_nano
    FROM (${sumsSaid}) AS said WHERE wallet_id = $2 GROUP BY 1 HAVING sum(charged) <> sum(summed + pending) ORDER BY 1`,
  rowsValues: ({ walletId }, { rolledUpBelow }) => [rolledUpBelow, walletId],
})

/** The check works by wallet. The rows that it shows are days. */
export const checkChargedSums: Check = {
  find: perWallet.find,
  async show(snapshot, discrepancy): Promise<Discrepancy> {
    const shown = await perWallet.show(snapshot, discrepancy)
    const day = shown.rows[0]?.['day']
    return typeof day === 'string' ? { ...shown, day, month: monthOf(day) } : shown
  },
}

import { sqlCheck } from './check.ts'

// What was charged above its hold, or after its hold had lapsed, may take a wallet below zero. Where generations were dropped,
// nobody can tell any more why a wallet owed something when the kept days began; so it may owe that as well. The first of them
// is counted in, because requests that ran through that midnight were settled in it.
const books = `posted AS (
    SELECT wallet_id, sum(amount_nano) AS balance,
      coalesce(-sum(amount_nano) FILTER (WHERE kind = 'charge'), 0) AS charged,
      coalesce(sum(amount_nano) FILTER (WHERE kind <> 'charge'), 0) AS credited,
      coalesce(sum(amount_nano) FILTER (WHERE id < $2), 0) AS old_balance
    FROM ledger_postings WHERE account = 'wallet' GROUP BY wallet_id
  ), promised AS (
    SELECT wallet_id, sum(amount_nano) AS held FROM holds GROUP BY wallet_id
  ), owed AS (
    SELECT g.wallet_id, sum(CASE WHEN l.id IS NULL THEN greatest(g.cost_nano - g.held_nano, 0) ELSE g.cost_nano END) AS debt
    FROM generations g LEFT JOIN lapsed_holds l ON l.id = g.id WHERE g.id >= $1 GROUP BY g.wallet_id
  ), books AS (
    SELECT coalesce(w.id, p.wallet_id, h.wallet_id) AS wallet_id, w.id IS NOT NULL AS exists,
      coalesce(p.balance, 0) AS balance, coalesce(p.charged, 0) AS charged, coalesce(p.credited, 0) AS credited,
      coalesce(h.held, 0) AS held,
      coalesce(o.debt, 0) + CASE WHEN p.old_balance <> 0 THEN greatest(-p.old_balance - w.credit_line_nano, 0) ELSE 0 END AS debt,
      w.balance_nano, w.charged_nano, w.credited_nano, w.held_nano, w.credit_line_nano
    FROM wallets w FULL JOIN posted p ON p.wallet_id = w.id FULL JOIN promised h ON h.wallet_id = coalesce(w.id, p.wallet_id)
    LEFT JOIN owed o ON o.wallet_id = w.id
  )`

/** Wallets say what their transfers and holds add up to, and have promised no more than they have. */
export const checkWallets = sqlCheck({
  text: `WITH ${books}
    SELECT wallet_id AS "walletId", v.what, 'wallets' AS table, NULL AS day, NULL AS subject, v.expected, v.found
    FROM books CROSS JOIN LATERAL (VALUES
      (NOT exists, 'wallet exists', 'true', 'false'),
      (exists AND balance <> balance_nano, 'balance is the sum of its postings', balance::text, balance_nano::text),
      (exists AND charged <> charged_nano, 'charged is the sum of its charges', charged::text, charged_nano::text),
      (exists AND credited <> credited_nano, 'credited is the sum of its credits', credited::text, credited_nano::text),
      (exists AND held <> held_nano, 'held is the sum of its open holds', held::text, held_nano::text),
      (exists AND balance_nano + credit_line_nano - held_nano < least(-debt, 0),
        'balance covers what is held, but for recorded debt', '>= ' || (-debt)::text,
        (balance_nano + credit_line_nano - held_nano)::text)
    ) AS v (is_wrong, what, expected, found) WHERE v.is_wrong ORDER BY 1, 2`,
  values: ({ firstKeptId, secondDayId }) => [firstKeptId, secondDayId],
  rowsText: `SELECT kind, debit, credit, count(*)::text AS transfers, sum(amount_nano)::text AS amount_nano
    FROM ledger_transfers WHERE wallet_id = $1 GROUP BY 1, 2, 3
    UNION ALL SELECT 'open holds', NULL, NULL, count(*)::text, coalesce(sum(amount_nano), 0)::text FROM holds WHERE wallet_id = $1`,
  rowsValues: ({ walletId }) => [walletId],
})

import { sqlCheck } from './check.ts'

/** The balance of each customer that has one. Money paid in counts as negative spend. */
export const customerBalances = `SELECT c.wallet_id, c.id AS customer_id, -s.spent_nano AS balance, s.held_nano AS held
    FROM spend_windows s JOIN end_customers c ON c.id = s.owner_id WHERE s.kind = 'customer_balance'`

/** The wallet's amount for its customers is the sum of their balances, and each balance covers its holds. */
export const checkCustomerSums = sqlCheck({
  text: `WITH balances AS (${customerBalances})
    SELECT w.id AS "walletId", 'the wallet must put aside the sum of its customers'' balances' AS what, 'wallets' AS table,
      NULL AS day, NULL AS subject, coalesce(b.balance, 0)::text AS expected, w.customers_nano::text AS found
    FROM wallets w LEFT JOIN (SELECT wallet_id, sum(balance) AS balance FROM balances GROUP BY 1) AS b ON b.wallet_id = w.id
    WHERE w.customers_nano <> coalesce(b.balance, 0)
    UNION ALL SELECT wallet_id, 'a customer''s balance must cover its holds', 'spend_windows', NULL, customer_id::text,
      '>= ' || held::text, balance::text
    FROM balances WHERE balance < held ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT c.id, s.spent_nano::text, s.held_nano::text FROM end_customers c
    JOIN spend_windows s ON s.kind = 'customer_balance' AND s.owner_id = c.id WHERE c.wallet_id = $1 ORDER BY c.id`,
  rowsValues: ({ walletId }) => [walletId],
})

/** A customer's balance is the money paid in, less the money taken back and the charges of its requests. */
export const checkCustomerBalances = sqlCheck({
  text: `WITH balances AS (${customerBalances}), moved AS (
      SELECT wallet_id, end_customer_id AS customer_id,
        sum(CASE WHEN credit = 'customers' THEN amount_nano WHEN debit = 'customers' THEN -amount_nano ELSE 0 END) AS balance
      FROM ledger_transfers WHERE end_customer_id IS NOT NULL OR 'customers' IN (debit, credit) GROUP BY 1, 2)
    SELECT coalesce(b.wallet_id, m.wallet_id) AS "walletId", 'a customer''s balance must equal its transfers' AS what,
      'spend_windows' AS table, NULL AS day, coalesce(b.customer_id, m.customer_id)::text AS subject,
      coalesce(m.balance, 0)::text AS expected, coalesce(b.balance, 0)::text AS found
    FROM balances b FULL JOIN moved m ON m.customer_id = b.customer_id AND m.wallet_id = b.wallet_id
    WHERE coalesce(b.balance, 0) <> coalesce(m.balance, 0) ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT kind, debit, credit, count(*)::text AS transfers, sum(amount_nano)::text AS amount_nano
    FROM ledger_transfers WHERE wallet_id = $1 AND end_customer_id IS NOT DISTINCT FROM $2::uuid GROUP BY 1, 2, 3`,
  rowsValues: ({ walletId, subject }) => [walletId, subject],
})

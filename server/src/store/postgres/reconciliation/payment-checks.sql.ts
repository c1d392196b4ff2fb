import { providerSums } from './provider-sums.sql.ts'
import { sqlCheck } from './check.ts'

const booked = `SELECT e.top_up_id, e.kind, sum(e.amount_minor) AS amount FROM top_up_effects e GROUP BY 1, 2`

/** An order equals the sum of its effects. */
export const checkOrders = sqlCheck({
  text: `SELECT t.wallet_id AS "walletId", 'an order must equal the sum of its effects' AS what, 'top_ups' AS table, NULL AS day,
      t.id::text || ' ' || s.kind AS subject, coalesce(e.amount, 0)::text AS expected, s.amount::text AS found
    FROM top_ups t CROSS JOIN LATERAL (VALUES ('payment', t.paid_minor), ('refund', t.refunded_minor), ('refund_returned', t.returned_minor),
      ('dispute', t.withdrawn_minor), ('dispute_won', t.reinstated_minor), ('dispute_lost', t.lost_minor),
      ('processor_fee', t.processed_cents), ('processor_fee_returned', t.unprocessed_cents)) AS s (kind, amount)
    LEFT JOIN (${booked}) AS e ON e.top_up_id = t.id AND e.kind = s.kind
    WHERE s.amount <> coalesce(e.amount, 0) ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT position, kind, transaction_id, amount_minor::text, sum_minor::text, booked_at::text FROM top_up_effects
    WHERE top_up_id = split_part($1, ' ', 1)::uuid ORDER BY position`,
  rowsValues: ({ subject }) => [subject],
})

// The sign of an effect on the accounts that represent the provider's balance, in the direction of `cash` and
// `disputed`.
const signs = `(VALUES ('payment', -1), ('refund', 1), ('refund_returned', -1), ('dispute', 1), ('dispute_won', -1), ('dispute_lost', 0),
    ('processor_fee', 1), ('processor_fee_returned', -1)) AS k (kind, sign)`

/**
 * In US dollars every effect has moved exactly its amount. In all currencies every effect has a transaction, and every
 * such transaction has an effect.
 */
export const checkEffects = sqlCheck({
  text: `WITH moved AS (
      SELECT p.id, min(p.wallet_id::text)::uuid AS wallet_id, sum(p.amount_nano) FILTER (WHERE p.account IN ('cash', 'disputed')) AS nano,
        bool_or(p.kind IN ('refund', 'dispute', 'dispute_won', 'dispute_lost', 'processor_fee')) AS is_effect
      FROM ledger_postings p
      WHERE p.kind IN ('top_up', 'fee', 'tax', 'refund', 'dispute', 'dispute_won', 'dispute_lost', 'processor_fee') GROUP BY 1
    )
    SELECT coalesce(t.wallet_id, m.wallet_id) AS "walletId", 'a payment effect must match its ledger transfers' AS what,
      'ledger_transfers' AS table, NULL AS day, coalesce(e.transaction_id, m.id)::text AS subject,
      coalesce((e.amount_minor * k.sign * 10000000)::text, 'no effect') AS expected, coalesce(m.nano, 0)::text AS found
    FROM moved m FULL JOIN top_up_effects e ON e.transaction_id = m.id
    LEFT JOIN ${signs} ON k.kind = e.kind LEFT JOIN top_ups t ON t.id = e.top_up_id
    WHERE (e.transaction_id IS NULL AND m.is_effect) OR (t.wallet_id IS DISTINCT FROM m.wallet_id AND e.transaction_id IS NOT NULL AND m.id IS NOT NULL)
      OR ((t.currency = 'usd' OR e.kind LIKE 'processor%') AND e.amount_minor * k.sign * 10000000 <> coalesce(m.nano, 0))
    ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT leg, kind, debit, credit, amount_nano::text, created_at::text FROM ledger_transfers WHERE id = $1::uuid ORDER BY leg`,
  rowsValues: ({ subject }) => [subject],
})

/**
 * The provider's ledger matches ours, as far as it was read. Later bookings may or may not be in it, so the sum of each
 * kind of an order lies between the amount booked an hour before that time and the amount booked now. A payment that
 * cannot be credited is reported until it is refunded.
 */
export const checkProvider = sqlCheck({
  text: `WITH said AS (${providerSums}),
    ours AS (
      SELECT t.provider, e.top_up_id, e.kind, sum(e.amount_minor) AS amount,
        coalesce(sum(e.amount_minor) FILTER (WHERE e.booked_at < m.balances_until - interval '1 hour'), 0) AS settled
      FROM top_up_effects e JOIN top_ups t ON t.id = e.top_up_id JOIN payment_watermarks m ON m.provider = t.provider
      WHERE e.kind <> 'dispute_lost' GROUP BY 1, 2, 3
    ), returned AS (
      SELECT s.top_up_id FROM said s JOIN top_ups t ON t.id = s.top_up_id WHERE t.state = 'refunded' AND t.paid_minor = 0
      GROUP BY 1 HAVING sum(CASE s.kind WHEN 'payment' THEN s.amount WHEN 'refund' THEN -s.amount WHEN 'refund_returned' THEN s.amount ELSE 0 END) = 0
    )
    SELECT t.wallet_id AS "walletId", 'the payment provider''s records must match ours' AS what, 'payment_balances' AS table, NULL AS day,
      coalesce(s.top_up_id, o.top_up_id)::text || ' ' || coalesce(s.kind, o.kind) AS subject,
      coalesce(o.settled, 0)::text || ' to ' || coalesce(o.amount, 0)::text AS expected, coalesce(s.amount, 0)::text AS found
    FROM said s FULL JOIN ours o ON o.top_up_id = s.top_up_id AND o.kind = s.kind
    JOIN top_ups t ON t.id = coalesce(s.top_up_id, o.top_up_id)
    WHERE coalesce(s.amount, 0) NOT BETWEEN coalesce(o.settled, 0) AND coalesce(o.amount, 0)
      AND t.id NOT IN (SELECT r.top_up_id FROM returned r)
    UNION ALL
    SELECT NULL, 'a payment must belong to an order', 'payment_balances', (b.created_at AT TIME ZONE 'UTC')::date::text, b.provider || ' ' || b.id,
      'an order', b.amount_minor::text || ' ' || b.currency
    FROM payment_balances b WHERE b.top_up_id IS NULL AND b.kind NOT IN ('payout', 'payout_returned', 'other')
    ORDER BY 1, 5`,
  values: () => [],
  rowsText: `SELECT id, kind, currency, amount_minor::text, fee_cents::text, created_at::text FROM payment_balances
    WHERE top_up_id::text = split_part($1, ' ', 1) OR provider || ' ' || id = $1 ORDER BY created_at, id`,
  rowsValues: ({ subject }) => [subject],
})

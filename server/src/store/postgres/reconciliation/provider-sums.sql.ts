/** The sums of the provider's ledger and ours for each order and kind. Fees are compared as a separate kind. */
export const providerSums = `SELECT b.provider, b.top_up_id, k.kind, sum(k.amount) AS amount
    FROM payment_balances b CROSS JOIN LATERAL (VALUES (b.kind, b.amount_minor), ('processor_fee', greatest(b.fee_cents, 0)),
      ('processor_fee_returned', greatest(-b.fee_cents, 0))) AS k (kind, amount)
    WHERE b.top_up_id IS NOT NULL GROUP BY 1, 2, 3`

/**
 * The price of a generation for its customer, in nano-USD: the cost with the markup of its time, rounded up. Null if it
 * named no customer. `div` truncates exactly, where a quotient of numerics would be rounded.
 */
export function customerPriceOf(generation: string): string {
  const markupOf = (owner: string): string => `(SELECT m.basis_points FROM customer_markups m
      WHERE m.owner_id = ${generation}.${owner} AND m.since <= ${generation}.started_at ORDER BY m.since DESC LIMIT 1)`
  return `(SELECT div(${generation}.cost_nano::numeric
      * (10000 + coalesce(${markupOf('end_customer_id')}, ${markupOf('wallet_id')}, 0)) + 9999, 10000)::bigint
    WHERE ${generation}.end_customer_id IS NOT NULL)`
}

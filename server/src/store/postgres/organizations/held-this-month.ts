/**
 * The amount on hold in the monthly budget of a row, in the month that starts on the day `$1`. Nothing is counted
 * without a budget.
 */
export function heldThisMonth(owner: 'member' | 'team', id: string): string {
  return `coalesce((SELECT s.held_nano FROM spend_windows s WHERE s.kind = '${owner}_month' AND s.owner_id = ${id}
        AND s.starts_at = extract(epoch FROM $1::date)::bigint * 1000), 0)`
}

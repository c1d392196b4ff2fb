import type { Dispute } from '../../api/operator.ts'

const soonMs = 3 * 86_400_000

/** How urgent an answer to a dispute is. */
export function urgencyOf(
  { open, evidence_due_at: due }: Pick<Dispute, 'open' | 'evidence_due_at'>,
  nowMs: number,
): 'overdue' | 'soon' | 'later' | 'none' {
  if (!open || due === null) return 'none'
  const leftMs = Date.parse(due) - nowMs
  if (leftMs < 0) return 'overdue'
  return leftMs <= soonMs ? 'soon' : 'later'
}

/** A word of the payment provider, such as `needs_response`, for people. */
export function wordsOf(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

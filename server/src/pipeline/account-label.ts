import type { Candidate } from '#domain/routing/candidates.ts'

export const ownKeyLabel = 'own_key'

/**
 * The metric label of a provider account. Organizations name their own keys, and there may be thousands: all own keys
 * share one label, so that clients cannot increase the number of series.
 */
export function accountLabelOf(candidate: Pick<Candidate, 'account' | 'billing'> | null): string {
  if (candidate === null) return 'none'
  return candidate.billing === 'own_key' ? ownKeyLabel : candidate.account.name
}

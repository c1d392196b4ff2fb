import type { FreeStanding, OverQuota } from '#domain/limits/free-quota.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { Excluded } from '#domain/routing/explanation.ts'

interface FreeChoice {
  /** Empty if the request is rejected. */
  readonly candidates: readonly Candidate[]
  readonly excluded: readonly Excluded[]
  /** The first quota that is used up. */
  readonly over: OverQuota | null
  /** The used-up quota because of which the first candidate, a free model, is charged at its paid price. */
  readonly paysFor: OverQuota | null
}

/**
 * Within its quota a model's candidates are free. Over the quota they stay at the paid price if there is one, the
 * account has credit and the request allows fallback; otherwise they are dropped. Paid fallbacks do not keep an account
 * without credit from a free model.
 */
export function chooseFree(input: {
  readonly candidates: readonly Candidate[]
  readonly standings: ReadonlyMap<string, FreeStanding>
  readonly canPay: boolean
  readonly fallsBack: boolean
}): FreeChoice {
  const { standings, canPay } = input
  const excluded: Excluded[] = []
  const left: Candidate[] = []
  let over: OverQuota | null = null
  for (const candidate of input.candidates) {
    const standing = overOf(candidate, standings)
    if (standing === null) left.push(isWithin(candidate, standings) ? { ...candidate, billing: 'free' } : candidate)
    else {
      over ??= standing
      if (candidate.billing === 'charged' && canPay && input.fallsBack) left.push(candidate)
      else excluded.push({ model: candidate.model.id, provider: candidate.account.vendor, rule: 'free_quota' })
    }
  }
  const candidates = canPay ? left : left.filter(({ billing }) => billing !== 'charged')
  for (const { model, account } of left.filter((candidate) => !candidates.includes(candidate))) {
    excluded.push({ model: model.id, provider: account.vendor, rule: 'no_credit' })
  }
  const [first] = candidates
  return { candidates, excluded, over, paysFor: first === undefined ? null : overOf(first, standings) }
}

type Standings = ReadonlyMap<string, FreeStanding>

function isWithin({ billing, model }: Candidate, standings: Standings): boolean {
  return billing === 'charged' && standings.has(model.id)
}

/**
 * The used-up quota that keeps a candidate from being free. Candidates that are billed elsewhere, or not at all, have
 * no quota here.
 */
function overOf({ billing, model }: Candidate, standings: Standings): OverQuota | null {
  if (billing !== 'charged' && billing !== 'free') return null
  const standing = standings.get(model.id)
  return standing === 'daily' || standing === 'rpm' ? standing : null
}

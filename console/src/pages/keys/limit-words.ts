import { spendPeriods } from '../../lib/spend-periods.ts'
import type { KeyLimits } from '../../api/keys.ts'

type Limit = Pick<KeyLimits['effective'], 'scope' | 'window' | 'is_breaker'>

const owners: Readonly<Record<string, string>> = {
  key: 'this key',
  user: 'the key owner',
  member: 'the member',
  team: 'the team',
  organization: 'the organization',
}

const windows: Readonly<Record<string, string>> = {
  life: 'lifetime',
  ...Object.fromEntries(spendPeriods.map(({ unit, adverb }) => [unit, adverb])),
  hour: 'hourly',
  minute: 'per-minute',
}

/** The label of a limit, such as `Daily limit for this key`. An unknown limit keeps its API name. */
export function limitInWords(limit: Limit): string {
  if (limit.scope === 'wallet') return 'Balance'
  const words = nounOf(limit)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Describes the effective limit, which is the first one to stop the key, in a sentence. */
export function effectiveInWords(limit: Limit): string {
  if (limit.scope === 'wallet') return 'All available credit. No lower limit applies.'
  return `Remaining under the ${nounOf(limit)}, which runs out first.`
}

function nounOf({ scope, window, is_breaker: isBreaker }: Limit): string {
  const length = window === null ? '' : `${windows[window] ?? window} `
  return `${length}${isBreaker ? 'spend breaker' : 'limit'} for ${owners[scope] ?? scope}`
}

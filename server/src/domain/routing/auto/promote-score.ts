import type { Score } from './score-request.ts'
import { type AutoTier, ladder } from './tiers.ts'

// If two tiers are nearly equally likely, a model that is too good is better than one that is not good enough.
const clearLead = 0.15

/**
 * The tier that serves the request. A request that is almost as likely to belong one level higher is promoted. A
 * request that may belong lower stays, and subject tiers are not on the ladder.
 */
export function promoteScore({ tier, confidence, runnerUp, runnerUpConfidence }: Score): AutoTier {
  const level = ladder.findIndex((name) => name === tier)
  const rival = ladder.findIndex((name) => name === runnerUp)
  if (level === -1 || rival <= level || confidence - runnerUpConfidence >= clearLead) return tier
  return ladder[level + 1] ?? tier
}

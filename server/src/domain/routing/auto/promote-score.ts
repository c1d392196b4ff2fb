import type { Score } from './score-request.ts'
import { type AutoTier, ladder } from './tiers.ts'

// Two tiers that are nearly as likely as each other: better a model too good than one that is not good enough.
const clearLead = 0.15

/**
 * The tier that serves. A request that is about as likely to belong higher on the ladder is taken one level up; one
 * that may belong lower stays where it is, and tiers that are about a subject are not on the ladder.
 */
export function promoteScore({ tier, confidence, runnerUp, runnerUpConfidence }: Score): AutoTier {
  const level = ladder.findIndex((name) => name === tier)
  const rival = ladder.findIndex((name) => name === runnerUp)
  if (level === -1 || rival <= level || confidence - runnerUpConfidence >= clearLead) return tier
  return ladder[level + 1] ?? tier
}

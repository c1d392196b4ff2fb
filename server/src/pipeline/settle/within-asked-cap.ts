import { cutClasses } from '#domain/inference/usage-within.ts'
import { completionTokensOf, type Usage } from '#domain/inference/usage.ts'
import { outputClasses } from '#domain/money/class-price.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { outputCapMinOf } from '#providers/output-cap-min.ts'
import type { Plan } from '../types.ts'

/**
 * The charged usage of a response. An upstream that accepts no cap as low as the client's was sent a higher one. The
 * operator bears the cost of output beyond the client's cap, until the wallet has exceeded its daily limit of unpaid
 * costs.
 */
export function withinAskedCap(
  usage: Usage,
  { call, reservesMost }: Pick<Plan, 'call' | 'reservesMost'>,
  candidate: Candidate,
): Usage {
  const { maxTokens, choiceCount, media } = call
  if (media !== undefined || maxTokens === null || reservesMost === true) return usage
  if (maxTokens >= outputCapMinOf(candidate.account.vendor, candidate)) return usage
  return cutOutput(usage, maxTokens * choiceCount)
}

function cutOutput(usage: Usage, most: number): Usage {
  return completionTokensOf(usage) <= most ? usage : cutClasses(usage, outputClasses, most)
}

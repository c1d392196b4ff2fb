import type { Charged } from '#dialects/dialect.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { ReaderContext } from './reader-context.ts'

/** The usage and cost in a response's last bytes. Null without usage. */
export function chargedFor(
  usage: Usage | null,
  cost: NanoUsd,
  { upstreamCostOf }: Pick<ReaderContext, 'upstreamCostOf'>,
): Charged | null {
  if (usage === null) return null
  return upstreamCostOf === undefined ? { usage, cost } : { usage, cost, upstreamCost: upstreamCostOf(usage) }
}

import { promptSizeFor } from '#dialects/choose-trim.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { TypicalUse } from '#ports/request-history.ts'
import { holdFor } from './hold-for.ts'
import { outputTokensMaxOf, usualTokensMax } from './output-tokens-max.ts'

/** What one candidate would charge for a request. */
export interface QuotedCosts {
  /** The whole prompt is read from a cache, and nothing is generated. */
  readonly least: NanoUsd
  /** As for the wallet's earlier requests for this model. Null if there are none. */
  readonly likely: NanoUsd | null
  /** The longest output, with everything counted as the provider may count it at most. */
  readonly worst: NanoUsd
}

/** Candidates that charge nothing cost nothing. Media have a known price, so their three costs are the same. */
export function quotedCosts(call: DialectCall, candidate: Candidate, typical: TypicalUse | null): QuotedCosts {
  if (candidate.billing !== 'charged') return { least: zeroUsd, likely: zeroUsd, worst: zeroUsd }
  if (call.media !== undefined) {
    const cost = holdFor([candidate], call, 0)
    return { least: cost, likely: cost, worst: cost }
  }
  const prompt = promptSizeFor(call, candidate.model.id).promptTokensEstimate
  const longest = Math.min(outputTokensMaxOf(call, candidate), usualTokensMax) * call.choiceCount
  const likely = typical === null ? null : likelyCost(prompt, { typical, longest }, candidate.price)
  const worst = holdFor([candidate], { ...call, holdsExactly: true }, longest)
  const least = chargeFor({ ...noUsage, cacheRead: prompt }, candidate.price).cost
  return { least: smaller(least, worst), likely: likely === null ? null : smaller(likely, worst), worst }
}

function likelyCost(
  prompt: number,
  { typical, longest }: { typical: TypicalUse; longest: number },
  price: PriceList,
): NanoUsd {
  const { completionTokens, promptTokens, cachedTokens } = typical
  const cacheRead = promptTokens === 0 ? 0 : Math.round((prompt * cachedTokens) / promptTokens)
  const textOutput = Math.min(completionTokens, longest)
  return chargeFor({ ...noUsage, uncachedInput: prompt - cacheRead, cacheRead, textOutput }, price).cost
}

function smaller(one: NanoUsd, other: NanoUsd): NanoUsd {
  return one < other ? one : other
}

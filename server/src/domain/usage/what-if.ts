import type { Model, ModelKind } from '#domain/catalogue/model.ts'
import { roundUp } from '#domain/money/charge.ts'
import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { UnitPrices } from '#domain/money/price-list.ts'

/** The usage of a model in a period. */
export interface ModelUse {
  readonly model: string
  readonly requests: number
  readonly promptTokens: number
  readonly completionTokens: number
  readonly spent: NanoUsd
}

interface ComparedUse extends ModelUse {
  readonly wouldCost: NanoUsd
}

/**
 * `other_kind`: the model has no text output, so text tokens do not apply. `unknown`: the catalogue no longer has the
 * model.
 */
type Incomparable = ModelUse & { readonly reason: 'other_kind' | 'unknown' }

interface WhatIf {
  readonly compared: readonly ComparedUse[]
  readonly incomparable: readonly Incomparable[]
  readonly spent: NanoUsd
  readonly wouldCost: NanoUsd
}

/**
 * The cost of a period's text at other prices, exactly: every prompt token at the full price, because the sums do not
 * record cache hits, and at the first tier, because they do not record prompt lengths.
 */
export function whatIf(
  uses: readonly ModelUse[],
  prices: Pick<UnitPrices, 'prompt' | 'completion' | 'per_request'>,
  kindOf: (model: string) => ModelKind | undefined,
): WhatIf {
  const compared: ComparedUse[] = []
  const incomparable: Incomparable[] = []
  for (const use of uses) {
    const kind = kindOf(use.model)
    if (kind === 'chat') compared.push({ ...use, wouldCost: roundUp(unitsOf(use, prices)) })
    else incomparable.push({ ...use, reason: kind === undefined ? 'unknown' : 'other_kind' })
  }
  const all = compared.reduce((sum, use) => sum + unitsOf(use, prices), 0n)
  const spent = compared.reduce((sum, use) => nanoUsd(sum + use.spent), zeroUsd)
  return { compared, incomparable, spent, wouldCost: roundUp(all) }
}

function unitsOf(use: ModelUse, prices: Parameters<typeof whatIf>[1]): bigint {
  return (
    BigInt(use.promptTokens) * (prices.prompt ?? 0n) +
    BigInt(use.completionTokens) * (prices.completion ?? 0n) +
    BigInt(use.requests) * (prices.per_request ?? 0n)
  )
}

/** Whether a model can replace others: it outputs text and has a price for it. */
export function canStandIn({ kind, price }: Pick<Model, 'kind' | 'price'>): boolean {
  return kind === 'chat' && price?.base.prompt !== undefined && price.base.completion !== undefined
}

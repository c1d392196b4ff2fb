import type { ChangeParts, PeriodSums } from './explain-change.ts'

interface ExplainedModel {
  readonly name: string
  readonly before: PeriodSums
  readonly now: PeriodSums
  readonly parts: ChangeParts
}

/** For each cause and for failed requests, the model that moved it most. Null if the figure did not change. */
export type LeadingModels = Readonly<Record<keyof ChangeParts | 'failed', string | null>>

/** Finds the model that moved each figure most, in the direction in which the figure moved in total. */
export function findLeadingModels(models: readonly ExplainedModel[]): LeadingModels {
  const by = (partOf: (model: ExplainedModel) => bigint): string | null => {
    const total = models.reduce((sum, model) => sum + partOf(model), 0n)
    if (total === 0n) return null
    const inDirection = (model: ExplainedModel) => (total < 0n ? -partOf(model) : partOf(model))
    return models.reduce((most, model) => (inDirection(model) > inDirection(most) ? model : most)).name
  }
  return {
    requests: by(({ parts }) => parts.requests),
    tokens: by(({ parts }) => parts.tokens),
    price: by(({ parts }) => parts.price),
    cache: by(({ parts }) => parts.cache),
    newUse: by(({ parts }) => parts.newUse),
    endedUse: by(({ parts }) => parts.endedUse),
    failed: by(({ before, now }) => BigInt(now.failed) - BigInt(before.failed)),
  }
}

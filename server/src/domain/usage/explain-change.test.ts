import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { addParts, type ChangeParts, explainChange, type PeriodSums } from './explain-change.ts'

function sums(figures: { requests: number; spent: number; saved?: number; tokens?: number }): PeriodSums {
  return {
    requests: figures.requests,
    failed: 0,
    spent: nanoUsd(BigInt(figures.spent)),
    saved: nanoUsd(BigInt(figures.saved ?? 0)),
    promptTokens: figures.tokens ?? 0,
    completionTokens: 0,
  }
}

const zero = { requests: 0n, tokens: 0n, price: 0n, cache: 0n, newUse: 0n, endedUse: 0n }

describe('the change of a model', () => {
  it.each([
    [
      'twice the requests',
      { requests: 1, spent: 100, tokens: 10 },
      { requests: 2, spent: 200, tokens: 20 },
      { requests: 100n },
    ],
    [
      'longer prompts',
      { requests: 2, spent: 100, tokens: 10 },
      { requests: 2, spent: 300, tokens: 30 },
      { tokens: 200n },
    ],
    ['a lower price', { requests: 2, spent: 100, tokens: 10 }, { requests: 2, spent: 50, tokens: 10 }, { price: -50n }],
    [
      'a cache that saves half',
      { requests: 2, spent: 100, tokens: 10 },
      { requests: 2, spent: 50, saved: 50, tokens: 10 },
      { cache: -50n },
    ],
    ['a model without tokens', { requests: 2, spent: 100 }, { requests: 3, spent: 180 }, { requests: 50n, price: 30n }],
    ['a new model', { requests: 0, spent: 0 }, { requests: 3, spent: 180, tokens: 4 }, { newUse: 180n }],
    [
      'a model that was free',
      { requests: 9, spent: 0, tokens: 9 },
      { requests: 3, spent: 180, tokens: 4 },
      { newUse: 180n },
    ],
    [
      'a model that is no longer used',
      { requests: 2, spent: 100, tokens: 10 },
      { requests: 0, spent: 0 },
      { endedUse: -100n },
    ],
  ])('is explained by %s', (_title, before, now, parts) => {
    expect(explainChange(sums(before), sums(now))).toEqual({ ...zero, ...parts })
  })

  it('is the sum of its parts, to the last digit', () => {
    const figure = fc.record({
      requests: fc.nat(50),
      spent: fc.nat(1_000_000),
      saved: fc.nat(1_000),
      tokens: fc.nat(10_000),
    })
    fc.assert(
      fc.property(fc.array(fc.tuple(figure, figure), { maxLength: 6 }), (models) => {
        const all = models.map(([before, now]) => explainChange(fit(before), fit(now)))
        const change = models.reduce((sum, [before, now]) => sum + fit(now).spent - fit(before).spent, 0n)
        const total = addParts(all)
        const names = Object.keys(zero) as (keyof ChangeParts)[]
        expect(names.reduce((sum, name) => sum + total[name], 0n)).toBe(change)
      }),
    )
  })
})

/** Without requests nothing is spent. */
function fit(figures: Parameters<typeof sums>[0]): PeriodSums {
  return figures.requests === 0 ? sums({ requests: 0, spent: 0 }) : sums(figures)
}

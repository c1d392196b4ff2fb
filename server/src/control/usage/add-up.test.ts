import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { UsageRow } from '#ports/usage.ts'
import { addUp, addUpBy, mergeRest } from './add-up.ts'

function row(app: string | null, spent: bigint, requests = 1): UsageRow {
  const sums = { requests, failed: 1, spent: nanoUsd(spent), saved: nanoUsd(2n), promptTokens: 3, completionTokens: 4 }
  return { app, ...sums }
}

describe('[ACCT-18] sums by name', () => {
  it('have the dearest first, then what was used most, then the order of names', () => {
    const rows = [row('b', 1n), row('a', 1n), row(null, 0n), row('often', 1n, 9), row('dear', 2n), row('dear', 3n)]
    const named = addUpBy(rows, ({ app }) => app)
    expect(named.map(({ name }) => name)).toEqual(['dear', 'often', 'a', 'b', null])
    expect(named[0]?.sums).toEqual({
      requests: 2,
      failed: 2,
      spent: 5n,
      saved: 4n,
      promptTokens: 6,
      completionTokens: 8,
    })
  })

  it('merge what is too many into one, so that they still add up', () => {
    const rows = Array.from({ length: 600 }, (_, index) => row(`app ${index}`, BigInt(index)))
    const named = addUpBy(rows, ({ app }) => app)
    const merged = mergeRest(named, 500, '(other)')
    expect(merged).toHaveLength(500)
    expect(merged.at(-1)).toMatchObject({ name: '(other)', sums: { requests: 101, spent: 5_050n } })
    expect(addUp(merged.map(({ sums }) => sums))).toEqual(addUp(rows))
    expect(mergeRest(named.slice(100), 500, '(other)')).toEqual(named.slice(100))
  })
})

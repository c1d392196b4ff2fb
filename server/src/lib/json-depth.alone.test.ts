import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNestedDeeperThan } from './json-depth.ts'

describe('the depth of JSON text', () => {
  it('[LIMIT-13] is what a parser would find', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), fc.nat(10), (text, limit) => {
        expect(isNestedDeeperThan(Buffer.from(text), limit)).toBe(depthOf(JSON.parse(text)) > limit)
      }),
    )
  })

  it('[LIMIT-13] does not count brackets in strings, whatever is escaped', () => {
    const tricky = ['[[[[', '\\', '\\\\', '"', '\\"[', ']]]', '{"a":[']
    for (const text of tricky) expect(isNestedDeeperThan(Buffer.from(JSON.stringify([text])), 1)).toBe(false)
    expect(isNestedDeeperThan(Buffer.from(JSON.stringify(tricky)), 1)).toBe(false)
  })

  it('[LIMIT-13] of ten megabytes of brackets is known at once', () => {
    const startedAtMs = performance.now()
    expect(isNestedDeeperThan(Buffer.alloc(10_000_000, '['), 64)).toBe(true)
    expect(isNestedDeeperThan(Buffer.alloc(10_000_000, '"'), 64)).toBe(false)
    expect(performance.now() - startedAtMs).toBeLessThan(1_000)
  })

  it('of text that is no JSON is found without harm', () => {
    for (const text of ['', '"', ']]]', '{', '"\\']) expect(isNestedDeeperThan(Buffer.from(text), 64)).toBe(false)
  })
})

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

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

  it.each(['__proto__', '\\u005f_proto__', 'constructor'])('[LIMIT-13] is found behind the name %s', (name) => {
    expect(isNestedDeeperThan(Buffer.from(`{"${name}":1,"a":[[[1]]]}`), 3)).toBe(true)
    expect(isNestedDeeperThan(Buffer.from(`{"${name}":[[[1]]]}`), 4)).toBe(false)
  })

  it.each(['[', '{"a":', '[{"a":'])('[LIMIT-13] of ten megabytes of %s is known at the limit', (unit) => {
    const bytes = Buffer.from(unit.repeat(Math.ceil(10_000_000 / unit.length)))
    const { buffer, looks } = countLooks(bytes)
    expect(isNestedDeeperThan(buffer, 64)).toBe(true)
    // Bytes after the limit are not read.
    expect(looks()).toBeLessThanOrEqual(3 * 65 * unit.length)
  })

  it.each(['"', '[]', '\\', '\\"', '"\\', '"\\\\', '"\\"', '""[', '"['])(
    '[LIMIT-13] of a body of %s is known after so many looks as it has bytes',
    (unit) => {
      const bytes = Buffer.from(unit.repeat(Math.ceil(5_000 / unit.length)))
      for (const before of ['', '"']) {
        const { buffer, looks } = countLooks(Buffer.concat([Buffer.from(before), bytes]))
        expect(typeof isNestedDeeperThan(buffer, 1_000_000)).toBe('boolean')
        expect(looks()).toBeLessThanOrEqual(3 * bytes.length)
      }
    },
  )

  it('of text that is no JSON is found without harm', () => {
    for (const text of ['', '"', ']]]', '{', '"\\']) expect(isNestedDeeperThan(Buffer.from(text), 64)).toBe(false)
  })
})

/** Returns the same bytes, and a count of the bytes that were read one by one or by the native search. */
function countLooks(bytes: Buffer): { buffer: Buffer; looks: () => number } {
  let looks = 0
  const indexOf = (byte: number, from: number): number => {
    const found = bytes.indexOf(byte, from)
    looks += (found === -1 ? bytes.length : found + 1) - from
    return found
  }
  const buffer = new Proxy(bytes, {
    get: (target, name) => {
      if (name === 'indexOf') return indexOf
      if (name === 'length') return target.length
      looks += 1
      return target[Number(name)]
    },
  })
  return { buffer, looks: () => looks }
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type JsonLimits, scanJson } from './json-scan.ts'

const limits: JsonLimits = { depthMax: 64, nodesMax: 1_000, numbersMax: 2_000, namesMax: 100, forbidsProto: true }

function breachOf(text: string, changed: Partial<JsonLimits> = {}): string | null {
  const verdict = scanJson(Buffer.from(text), { ...limits, ...changed })
  return verdict.allowed ? null : verdict.breach
}

describe('[B1] the name `__proto__`', () => {
  it.each([
    '{"__proto__":1}',
    '{"a":[{"__proto__" :{}}]}',
    '{"\\u005f_proto__":1}',
    '{"\\u005F\\u005fproto__":1}',
    '{"__prot\\u006f__":1}',
    '{"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006f\\u005f\\u005f":1}',
    '{"a":"\\\\","__proto__":1}',
  ])('is found in any spelling that a parser reads as it: %s', (text) => {
    expect(Object.keys(JSON.parse(text.replace(/^\{"a":\[(.*)\]\}$/, '$1')))).toContain('__proto__')
    expect(breachOf(text)).toBe('forbiddenName')
  })

  it.each([
    '{"a":"__proto__"}',
    '["__proto__"]',
    '{"__proto":1,"_proto__":1,"__proto__ ":1,"___proto__":1}',
    '{"\\\\u005f_proto__":1}',
    '{"a":"{\\"__proto__\\":1}"}',
    '{"constructor":{"prototype":1}}',
  ])('is not found where it is a text, or another name: %s', (text) => {
    expect(breachOf(text)).toBeNull()
  })

  it('is one like any other where the code that scans allows it', () => {
    expect(breachOf('{"__proto__":[[]]}', { forbidsProto: false })).toBeNull()
    expect(breachOf('{"__proto__":[[]]}', { forbidsProto: false, depthMax: 2 })).toBe('depth')
  })

  it('is found exactly where a parser would make it a name', () => {
    const name = fc.constantFrom('__proto__', 'a', '\\__proto__', '__proto_', '"__proto__":')
    const object = fc.uniqueArray(name).map((names) => `{${names.map((each) => `${JSON.stringify(each)}:0`).join()}}`)
    fc.assert(
      fc.property(fc.array(object), (objects) => {
        const isIn = objects.some((text) => Object.keys(JSON.parse(text)).includes('__proto__'))
        expect(breachOf(`[${objects.join()}]`)).toBe(isIn ? 'forbiddenName' : null)
      }),
    )
  })
})

describe('[B12] what JSON text holds', () => {
  it('is counted as values and names, and numbers of lists by themselves', () => {
    expect(breachOf(JSON.stringify(Array(1_000).fill('a')))).toBeNull()
    expect(breachOf(JSON.stringify(Array(1_001).fill('a')))).toBe('nodes')
    expect(breachOf(`[${'{},'.repeat(500)}{}]`)).toBe('nodes')
    expect(breachOf(JSON.stringify(Array(2_001).fill(7)))).toBeNull()
    expect(breachOf(JSON.stringify(Array(2_002).fill(7)))).toBe('numbers')
    expect(breachOf(JSON.stringify(Array(2_002).fill(-0.5e-7), null, 2))).toBe('numbers')
  })

  it('may have so many names in one object, and as many again in the next', () => {
    expect(breachOf(JSON.stringify([objectOf(100), objectOf(100)]))).toBeNull()
    expect(breachOf(JSON.stringify({ a: objectOf(100), ...objectOf(99) }))).toBeNull()
    expect(breachOf(JSON.stringify({ a: objectOf(100), ...objectOf(100) }))).toBe('names')
    expect(breachOf(JSON.stringify(objectOf(101)))).toBe('names')
  })

  it('is not looked at beyond the first breach', () => {
    for (const [unit, breach] of [
      ['"a",', 'nodes'],
      ['1,', 'numbers'],
      ['"a":1,', 'names'],
    ] as const) {
      const { buffer, looks } = countLooks(Buffer.from(`[${unit.repeat(1_000_000)}`))
      expect(scanJson(buffer, limits)).toEqual({ allowed: false, breach })
      expect(looks()).toBeLessThan(4 * unit.length * limits.numbersMax)
    }
  })

  it.each(['\\"', '\\\\', `${'x'.repeat(49)}\\"`, '\\n', ' '])(
    'is looked at a bounded number of times a byte, with hardly a call of the native search: %j',
    (unit) => {
      const bytes = Buffer.from(`["${unit.repeat(Math.ceil(50_000 / unit.length))}"]`)
      const { buffer, looks, searches } = countLooks(bytes)
      expect(scanJson(buffer, limits)).toMatchObject({ allowed: true })
      expect(looks()).toBeLessThanOrEqual(3 * bytes.length)
      expect(searches()).toBeLessThanOrEqual(bytes.length / 48 + 1)
    },
  )
})

function objectOf(count: number): object {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 0]))
}

/** Returns the same bytes with counts of the bytes read and of the native searches. */
function countLooks(bytes: Buffer): { buffer: Buffer; looks: () => number; searches: () => number } {
  let looks = 0
  let searches = 0
  const indexOf = (byte: number, from: number): number => {
    const found = bytes.indexOf(byte, from)
    looks += (found === -1 ? bytes.length : found + 1) - from
    searches += 1
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
  return { buffer, looks: () => looks, searches: () => searches }
}

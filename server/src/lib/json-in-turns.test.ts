import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInTurns } from './json-in-turns.ts'
import { scanJson } from './json-scan.ts'

const unbounded = { depthMax: 64, nodesMax: 1e9, numbersMax: 1e9, namesMax: 1e9, forbidsProto: true }

async function parse(text: string): Promise<{ value: unknown; pauses: number }> {
  const bytes = Buffer.from(text)
  const verdict = scanJson(bytes, unbounded)
  if (!verdict.allowed) throw new Error(verdict.breach)
  let pauses = 0
  const value = await parseInTurns(bytes, verdict.longTexts, async () => void (pauses += 1))
  return { value, pauses }
}

const units = [
  'word ',
  '\\n',
  '\\"',
  '\\\\',
  '\\u00e9',
  '\\ud83d\\ude00',
  'é',
  '漢',
  '😀',
  'a\\\\\\n',
  'x'.repeat(49) + '\\"',
]

describe('[B12] JSON that is parsed in turns', () => {
  it.each(units)('is what a parser makes of it: a megabyte of %j, wherever it is cut', async (unit) => {
    const long = unit.repeat(Math.ceil(1_200_000 / Buffer.byteLength(unit)))
    for (const shift of ['', 'a', 'ab', 'abc', 'abcd', 'abcde']) {
      const text = `{"a":["${shift}${long}",{"b":"short"}],"c":1}`
      const { value } = await parse(text)
      expect(JSON.stringify(value) === JSON.stringify(JSON.parse(text))).toBe(true)
    }
  })

  it('is what a parser makes of it, whatever is mixed', async () => {
    const unit = fc.constantFrom(...units, '\\t', '\\/', ' ')
    await fc.assert(
      fc.asyncProperty(fc.array(unit, { minLength: 20, maxLength: 40 }), async (mixed) => {
        const long = mixed.join('').repeat(Math.ceil(600_000 / Buffer.byteLength(mixed.join(''))))
        const text = `["${long}","x",["${long}"]]`
        expect(JSON.stringify((await parse(text)).value) === JSON.stringify(JSON.parse(text))).toBe(true)
      }),
      { numRuns: 10 },
    )
  })

  it('pauses as often as it is long', async () => {
    const [short, long] = [await parse(`["${'x'.repeat(1_000_000)}"]`), await parse(`["${'x'.repeat(8_000_000)}"]`)]
    expect(long.pauses).toBeGreaterThan(6 * (short.pauses - 4))
  })

  it('keeps long names, and a long text by itself', async () => {
    const long = 'n'.repeat(300_000)
    expect((await parse(`{"${long}":1}`)).value).toEqual({ [long]: 1 })
    expect((await parse(`"${long}"`)).value).toBe(long)
  })

  it.each(['\\x', '\n', '\\u12', '\\'])('is refused where its long text is none: %j', async (fault) => {
    await expect(parse(`["${'x'.repeat(600_000)}${fault}"]`)).rejects.toThrow(SyntaxError)
  })
})

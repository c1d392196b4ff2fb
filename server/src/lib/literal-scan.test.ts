import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createLiteralScan } from './literal-scan.ts'

it('finds what `indexOf` finds, in any case', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', ' ', '!', 'ж', 'Ж'), maxLength: 40 })
  const literal = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '!', 'ж'), minLength: 3, maxLength: 7 })
  const literals = fc.array(literal, { minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(literals, letters, fc.nat({ max: 45 }), (all, text, from) => {
      const found = all.map((each) => text.toLowerCase().indexOf(each, from)).filter((place) => place !== -1)
      expect(createLiteralScan(all)(text, from)).toBe(found.length === 0 ? -1 : Math.min(...found))
    }),
    { numRuns: 2_000 },
  )
})

it('finds a literal at either end of a text, and nothing in a text that is too short', () => {
  const scan = createLiteralScan(['needle', 'longer needle'])
  const places = ['needle', 'xNEEDLE', 'Needles', `${'x'.repeat(100_000)}needle`].map((text) => scan(text))
  expect(places).toEqual([0, 1, 0, 100_000])
  for (const text of ['', 'n', 'needl', 'eedle', 'needl e', 'мeedle']) expect(scan(text)).toBe(-1)
})

it('refuses literals that are too short to step over anything', () => {
  expect(() => createLiteralScan(['ab'])).toThrow('three characters')
})

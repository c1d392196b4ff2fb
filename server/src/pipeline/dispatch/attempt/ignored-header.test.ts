import { expect, it } from 'vitest'
import { ignoredHeader } from './ignored-header.ts'

it('names what was not passed on', () => {
  expect(ignoredHeader(['top_k', 'tools[0].x-y'])).toEqual({ 'x-params-ignored': 'top_k, tools[0].x-y' })
})

it('is absent where all was passed on', () => {
  expect(ignoredHeader([])).toEqual({})
})

it("repeats no client's words that are no plain name", () => {
  expect(ignoredHeader(['a b', '', 'ä', 'x\r\ny', `${'z'.repeat(65)}`])).toEqual({})
  expect(ignoredHeader(['a b', 'top_k'])).toEqual({ 'x-params-ignored': 'top_k' })
  expect(ignoredHeader(['z'.repeat(64)])).toEqual({ 'x-params-ignored': 'z'.repeat(64) })
})

it('names 32 at the most', () => {
  const names = Array.from({ length: 33 }, (_, index) => `p${index}`)
  expect(ignoredHeader(names)).toEqual({ 'x-params-ignored': names.slice(0, 32).join(', ') })
})

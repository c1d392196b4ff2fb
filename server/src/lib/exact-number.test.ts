import { expect, it, vi } from 'vitest'
import { ExactNumber, parseExactJson } from './exact-number.ts'

it.each(['12345678.123456789', '-12345678.123456789', '9007199254740993'])('%s keeps its digits', (text) => {
  expect(parseExactJson(`{"limit":${text},"name":"${text}"}`)).toEqual({ limit: new ExactNumber(text), name: text })
})

it.each([
  '123456.123456789',
  '1.500000000000000000',
  '100000000000000000',
  '0.000000000000000000',
  '1.234567890123456789e-7',
])('%s is the number that a double holds', (text) => {
  expect(parseExactJson(`[${text}]`)).toEqual([Number(text)])
})

it('calls no function for each value where all numbers are short', () => {
  const parse = vi.spyOn(JSON, 'parse')
  expect(parseExactJson('{"limit":12.5}')).toEqual({ limit: 12.5 })
  expect(parse.mock.calls.map((call) => call.length)).toEqual([1])
})

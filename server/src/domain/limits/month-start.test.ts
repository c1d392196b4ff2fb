import { expect, it } from 'vitest'
import { monthStartOf } from './month-start.ts'

it.each([
  ['2027-01-01T00:00:00.000Z', '2027-01-01'],
  ['2027-01-31T23:59:59.999Z', '2027-01-01'],
  ['2028-02-29T12:00:00.000Z', '2028-02-01'],
  ['2026-12-31T23:59:59.999Z', '2026-12-01'],
])('[ACCT-07] %s is in the month that began on %s', (moment, start) => {
  expect(monthStartOf(Date.parse(moment))).toBe(start)
})

import { expect, it } from 'vitest'
import type { ExactNumber } from '../../lib/money.ts'
import { refundable } from './refundable.ts'

const amount = (text: string) => text as unknown as ExactNumber

it.each([
  ['115.50', '0.00', '0.00', '115.50'],
  ['115.50', '10.25', '0.00', '105.25'],
  ['115.50', '0.00', '10.25', '105.25'],
  ['115.50', '10.25', '5.05', '100.20'],
  ['115.50', '0.00', '115.50', '0.00'],
  ['115.50', '115.50', '0.00', '0.00'],
])('Q11: of %s, with %s refunded and %s disputed, %s can be refunded', (paid, refunded, disputed, left) => {
  const sums = { paid: amount(paid), refunded: amount(refunded), disputed: amount(disputed) }
  expect(refundable(sums)).toBe(left)
})

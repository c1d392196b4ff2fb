import { Type } from 'typebox'
import { section } from '../setting-kinds.ts'

// How credit is paid for. docs/payments.md says what an operator does to go live.

const percentForm = 'a percentage from 0 to 100 with at most two decimals'

function percent(fallback: number, description: string) {
  const bounds = { minimum: 0, maximum: 100, multipleOf: 0.01 }
  return Type.Number({ ...bounds, default: fallback, description, expects: percentForm })
}

export const payments = section({
  feePercent: percent(10, 'Fee on top of a top-up, in percent of the credit, rounded up to a cent.'),
  taxPercent: percent(5, 'Tax on top of a top-up in a local currency, in percent of the credit, rounded up to a cent.'),
})

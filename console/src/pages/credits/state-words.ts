import type { TopUp } from '../../api/payments.ts'

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

interface StateWords {
  readonly name: string
  readonly tone: Tone
  /** An explanation for the payer. */
  readonly meaning: string
}

const states = {
  open: {
    name: 'Pending',
    tone: 'accent',
    meaning: "The payment provider hasn't confirmed the payment yet. Cards take seconds; bank debits can take days.",
  },
  expired: { name: 'Expired', tone: 'neutral', meaning: 'The order expired before it was paid. Nothing was charged.' },
  mismatch: {
    name: 'Under review',
    tone: 'warn',
    meaning: "The payment doesn't match the order. The gateway operator is reviewing it.",
  },
  paid: { name: 'Paid', tone: 'good', meaning: 'Payment received. Credit was added to the balance.' },
  partly_refunded: {
    name: 'Partially refunded',
    tone: 'neutral',
    meaning: 'Part of the payment was refunded.',
  },
  refunded: { name: 'Refunded', tone: 'neutral', meaning: 'The payment was fully refunded.' },
  disputed: {
    name: 'Disputed',
    tone: 'warn',
    meaning: "The payer's bank reversed the payment. Its credit is removed from the balance while the dispute is open.",
  },
  won: {
    name: 'Dispute won',
    tone: 'good',
    meaning: "The dispute was resolved in the seller's favor, and the credit was restored.",
  },
  lost: {
    name: 'Dispute lost',
    tone: 'bad',
    meaning: "The dispute was resolved in the payer's favor. The payment was returned and its credit removed.",
  },
} as const satisfies Readonly<Record<TopUp['state'], StateWords>>

export function stateWords(state: TopUp['state']): StateWords {
  return states[state]
}

const mismatches = {
  amount: 'The amount paid differs from the order. Credit was added for the amount paid.',
  currency: 'The payment used a different currency than the order, so no credit was added.',
  mode: "The payment's mode (test or live) doesn't match this gateway, so no credit was added.",
  order: 'The payment refers to a different order, so no credit was added.',
} as const satisfies Readonly<Record<Exclude<TopUp['mismatch'], null>, string>>

export function mismatchWords(mismatch: Exclude<TopUp['mismatch'], null>): string {
  return mismatches[mismatch]
}

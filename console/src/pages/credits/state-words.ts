import type { TopUp } from '../../api/payments.ts'

type Tone = 'neutral' | 'accent' | 'good' | 'warn' | 'bad'

interface StateWords {
  readonly name: string
  readonly tone: Tone
  /** What it means for the payer. */
  readonly meaning: string
}

const states = {
  open: {
    name: 'not paid yet',
    tone: 'accent',
    meaning: 'The payment provider has not confirmed a payment. A card takes seconds, a bank debit takes days.',
  },
  expired: { name: 'expired', tone: 'neutral', meaning: 'Nothing was paid in time, and nothing was charged.' },
  mismatch: {
    name: 'with the operator',
    tone: 'warn',
    meaning:
      'Something was paid that is not as it was ordered. The operator of this gateway decides what becomes of it.',
  },
  paid: { name: 'paid', tone: 'good', meaning: 'The payment arrived, and the wallet was credited.' },
  partly_refunded: {
    name: 'partly refunded',
    tone: 'neutral',
    meaning: 'A part of the payment went back to the payer.',
  },
  refunded: { name: 'refunded', tone: 'neutral', meaning: 'The whole payment went back to the payer.' },
  disputed: {
    name: 'disputed',
    tone: 'warn',
    meaning: "The payer's bank took the money back until the dispute is decided. The credit left the wallet meanwhile.",
  },
  won: {
    name: 'dispute won',
    tone: 'good',
    meaning: 'The dispute was decided for the seller, and the credit returned.',
  },
  lost: {
    name: 'dispute lost',
    tone: 'bad',
    meaning: 'The dispute was decided for the payer. Money and credit are gone.',
  },
} as const satisfies Readonly<Record<TopUp['state'], StateWords>>

export function stateWords(state: TopUp['state']): StateWords {
  return states[state]
}

const mismatches = {
  amount: 'Another amount was paid than was ordered. It was credited as far as it was paid.',
  currency: 'It was paid in another currency than was ordered, so nothing was credited.',
  mode: 'It was paid in another mode, test or live, than this gateway takes, so nothing was credited.',
  order: 'The payment names another order, so nothing was credited.',
} as const satisfies Readonly<Record<Exclude<TopUp['mismatch'], null>, string>>

export function mismatchWords(mismatch: Exclude<TopUp['mismatch'], null>): string {
  return mismatches[mismatch]
}

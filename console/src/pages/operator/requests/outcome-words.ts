import type { Outcome } from './search.ts'

interface OutcomeWords {
  readonly name: string
  readonly tone: 'good' | 'neutral' | 'warn' | 'bad'
}

export const outcomeWords: Readonly<Record<Outcome, OutcomeWords>> = {
  charged: { name: 'Charged', tone: 'good' },
  refunded: { name: 'Not charged', tone: 'neutral' },
  failed: { name: 'Failed', tone: 'bad' },
  refused: { name: 'Refused', tone: 'warn' },
}

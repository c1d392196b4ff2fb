import type { TopUp } from '../../api/payments.ts'
import { Badge } from '../../ui/badge.tsx'
import { stateWords } from './state-words.ts'

/** The state of an order as a badge, and whether it was a test payment. */
export function OrderState({ order: { state, test } }: { readonly order: Pick<TopUp, 'state' | 'test'> }) {
  const { name, tone } = stateWords(state)
  return (
    <span className="inline-flex gap-1">
      <Badge tone={tone}>{name}</Badge>
      {test ? <Badge>Test</Badge> : null}
    </span>
  )
}

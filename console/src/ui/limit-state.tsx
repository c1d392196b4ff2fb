import { budgetState } from '../lib/budget-state.ts'
import type { Nano } from '../lib/money.ts'
import { Badge } from './badge.tsx'

/** Says that a limit is used up or nearly used up, and nothing while it has room. */
export function LimitState({ taken, whole }: { readonly taken: Nano; readonly whole: Nano }) {
  switch (budgetState(taken, whole)) {
    case 'used':
      return <Badge tone="bad">Used up</Badge>
    case 'near':
      return <Badge tone="warn">Nearly used up</Badge>
    case 'room':
      return null
  }
}

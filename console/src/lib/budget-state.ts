import type { Nano } from './money.ts'
import { percentOf } from './percent-of.ts'

/** From this part of a budget on, it is nearly used up. */
const nearPercent = 80

/** Whether a budget is used up, nearly used up, or has room. A budget of zero is used up. */
export function budgetState(taken: Nano, budget: Nano): 'used' | 'near' | 'room' {
  const percent = percentOf(taken, budget)
  return percent >= 100 ? 'used' : percent >= nearPercent ? 'near' : 'room'
}

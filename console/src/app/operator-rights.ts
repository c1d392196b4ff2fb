import { type OperatorRole, operatorTable } from './operator-table.ts'
import type { Viewed } from './wallet-rights.ts'

export type OperatorAction = keyof typeof operatorTable

/** Whether the role may perform the action. Null is the role of people who do not operate the platform. */
export function mayOperate(role: OperatorRole | null, action: OperatorAction): boolean {
  const allowed: readonly OperatorRole[] = operatorTable[action]
  return role !== null && allowed.includes(role)
}

/** A page of the navigation for the operators who may perform the action. */
export function forOperators(action: OperatorAction): (viewed: Viewed) => boolean {
  return ({ operatorRole = null }) => mayOperate(operatorRole, action)
}

import { useQuery } from '@tanstack/react-query'
import { operatorSelfQuery } from '../api/operator-self.ts'
import { mayOperate, type OperatorAction } from './operator-rights.ts'
import type { OperatorRole } from './operator-table.ts'

/** The person's role as an operator, or null, and whether the session is good enough to act in it. */
export function useOperator(): { readonly role: OperatorRole | null; readonly isReady: boolean } {
  const { data } = useQuery(operatorSelfQuery)
  const role = data?.role ?? null
  return { role, isReady: role !== null && data?.secondFactor === true && !data.signInExpired }
}

/** Tells which actions the person may perform as an operator. The API rejects the others. */
export function useMayOperate(): (action: OperatorAction) => boolean {
  const { role } = useOperator()
  return (action) => mayOperate(role, action)
}

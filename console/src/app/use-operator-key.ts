import { useSyncExternalStore } from 'react'
import { operatorKey } from '../api/operator-key.ts'

/** Whether the tab has an operator key. */
export function useOperatorKey(): boolean {
  return useSyncExternalStore(operatorKey.subscribe, operatorKey.has)
}

import { queryOptions } from '@tanstack/react-query'
import { dataOf } from './client.ts'
import { operators } from './operator.ts'

const everyMs = 15_000

/** Whether the emergency brake stops all requests. Another operator may set it, so it is asked again. */
export const brakeQuery = queryOptions({
  queryKey: ['operator', 'brake'],
  queryFn: () => dataOf(operators.GET('/api/admin/brake')),
  refetchInterval: everyMs,
})

export interface BrakeWish {
  readonly retryAfterS: 30 | 300
  readonly reason: string
}

export function setBrake({ retryAfterS, reason }: BrakeWish) {
  const body = { engaged: true, retryAfterS, reason: reason.trim() === '' ? null : reason.trim() }
  return dataOf(operators.PUT('/api/admin/brake', { body }))
}

export function releaseBrake() {
  return dataOf(operators.PUT('/api/admin/brake', { body: { engaged: false } }))
}

import { GatewayError } from '#errors/gateway-error.ts'
import type { BrakeState } from '#domain/limits/brake.ts'
import type { Operators } from '#ports/operators.ts'

/** Stops all dispatch until it is released. Callers are told to come back after 30 s or after 300 s. */
export async function engageBrake(
  operators: Operators,
  input: { retryAfterS: number; reason: string | null },
): Promise<BrakeState> {
  const { retryAfterS, reason } = input
  if (retryAfterS !== 30 && retryAfterS !== 300) {
    throw new GatewayError('malformedRequest', { message: 'The brake tells callers to wait 30 or 300 seconds.' })
  }
  const state = { engaged: true, retryAfterS, reason } as const
  await operators.setBrake(state)
  return state
}

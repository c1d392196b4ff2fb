import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'

export type GuardStage = (principal: Principal) => void

/** Whether this caller may ask for this at all. Management keys manage; they never call models. */
export function createGuard(): GuardStage {
  return (principal) => {
    if (principal.keyType === 'management') {
      throw new GatewayError('forbidden', {
        message: 'A management key can not call models; create a standard key for that.',
      })
    }
  }
}

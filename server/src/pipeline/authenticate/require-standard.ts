import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'

/** Model endpoints are for standard keys: a management key administers and never spends. */
export function requireStandard(principal: Principal): void {
  if (principal.keyType === 'standard') return
  throw new GatewayError('forbidden', {
    message: 'A management key can not call model endpoints. Use a standard key.',
  })
}

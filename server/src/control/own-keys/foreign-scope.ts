import type { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'

export function foreignScope(): GatewayError {
  return malformed('scopedApiKeyIds contains a key that does not belong to this organization.')
}

import { GatewayError } from '#errors/gateway-error.ts'

/** Another account's key is answered exactly as one that never was. */
export function missingKey(keyId: string): GatewayError {
  return new GatewayError('notFound', { message: `There is no key ${keyId.slice(0, 100)} in this account.` })
}

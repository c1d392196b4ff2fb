import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredOwnKey } from '#ports/own-keys.ts'

/** The own key of an organization; one of others is refused like one that never was. */
export function readOwnKey(keys: readonly StoredOwnKey[], id: Uuid): StoredOwnKey {
  const key = keys.find((each) => each.id === id)
  if (key === undefined) throw new GatewayError('notFound', { message: 'There is no such BYOK key.' })
  return key
}

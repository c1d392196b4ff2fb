import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { Announce } from '#ports/announce.ts'
import type { KeyBook } from '#ports/key-book.ts'
import { unreachable } from '#lib/unreachable.ts'
import { parseAllowedCidrs } from './parse-allowed-cidrs.ts'

/** A key is enabled or disabled, any number of times, until it is revoked; that is final. */
export type KeyChange =
  | { kind: 'enable' }
  | { kind: 'disable' }
  | { kind: 'revoke' }
  | { kind: 'cidrs'; cidrs: readonly string[] }

/** Changes a key and tells every process to forget what it knows of it. */
export async function changeKey(
  deps: { keys: KeyBook; announce: Announce },
  keyId: string,
  change: KeyChange,
): Promise<void> {
  const changed = isUuid(keyId) ? await apply(deps.keys, keyId, change) : null
  if (changed === null)
    throw new GatewayError('notFound', { message: `There is no key ${keyId} that could be changed.` })
  await deps.announce({ keyHash: changed.secretHash })
}

function apply(keys: KeyBook, keyId: Uuid, change: KeyChange) {
  switch (change.kind) {
    case 'enable':
      return keys.setEnabled(keyId, true)
    case 'disable':
      return keys.setEnabled(keyId, false)
    case 'revoke':
      return keys.revoke(keyId)
    case 'cidrs':
      return keys.setAllowedCidrs(keyId, parseAllowedCidrs(change.cidrs))
    default:
      return unreachable(change)
  }
}

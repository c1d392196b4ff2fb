import type { KeyDeps } from '#control/keys/change-key.ts'
import { missingKey } from '#control/keys/read-keys.ts'
import { revokeKey } from '#control/keys/revoke-key.ts'
import type { ChangeAuthor, OperatorKeys } from '#ports/keys.ts'

/** Revokes a key of an operator, and no key of an account. */
export async function revokeOperatorKey(
  deps: KeyDeps & { operatorKeys: Pick<OperatorKeys, 'list'> },
  keyId: string,
  author: ChangeAuthor,
): Promise<void> {
  const isThere = (await deps.operatorKeys.list()).some(({ id, revoked }) => id === keyId && !revoked)
  if (!isThere) throw missingKey(keyId)
  await revokeKey(deps, { keyId, account: null }, author)
}

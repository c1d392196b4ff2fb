import { operatorActor } from '#domain/audit/audit-entry.ts'
import type { ChangeAuthor } from '#ports/keys.ts'

/** Changes that somebody makes with the `weir` command belong to no request. */
export function operatorAuthor(nowMs: number): ChangeAuthor {
  return { actor: operatorActor, requestId: null, nowMs }
}

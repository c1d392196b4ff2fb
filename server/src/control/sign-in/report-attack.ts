import { platformChain } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AuditTrail } from '#ports/audit.ts'
import type { Users } from '#ports/people.ts'

/** Tells operators of an account whose password strangers try. An address without an account is told to nobody. */
export function createReportAttack(deps: {
  users: Pick<Users, 'find'>
  audit: AuditTrail
  onAttacked: (userId: Uuid) => void
  onFailure: (error: unknown) => void
}): (email: string) => void {
  const report = async (email: string): Promise<void> => {
    const user = await deps.users.find(email)
    if (user === null) return
    deps.onAttacked(user.id)
    await deps.audit.append({
      chainId: platformChain,
      actor: { kind: 'anonymous', id: null, name: null },
      requestId: null,
      action: 'user.sign_in.attacked',
      target: { kind: 'user', id: user.id },
    })
  }
  // Not waited for: the answer must take as long as for an address without an account.
  return (email) => void report(email).catch(deps.onFailure)
}

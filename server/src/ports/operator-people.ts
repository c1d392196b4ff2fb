import type { OperatorRole } from '#domain/access/operator-roles.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * The people who operate the platform. Each change writes its audit entry in the same transaction. `last owner`: the
 * change would leave no owner who can sign in.
 */
export interface OperatorPeople {
  /** By email address. */
  list(): Promise<OperatorPerson[]>
  /** Returns false if the person is an operator already. */
  add(operator: { userId: Uuid; role: OperatorRole }, entry: AuditEntry): Promise<boolean>
  /** `describe` gets the role before the change. Without a change there is no entry. */
  changeRole(
    operator: { userId: Uuid; role: OperatorRole },
    describe: (before: OperatorRole) => AuditEntry,
  ): Promise<OperatorChange>
  remove(userId: Uuid, describe: (before: OperatorRole) => AuditEntry): Promise<OperatorChange>
}

export type OperatorChange = 'done' | 'missing' | 'last owner'

export interface OperatorPerson {
  readonly userId: Uuid
  readonly email: string
  readonly name: string
  readonly role: OperatorRole
  readonly suspended: boolean
  /** Whether the account has an authenticator app or a passkey. Without one, the person can't act as an operator. */
  readonly hasSecondFactor: boolean
  readonly addedAtMs: number
}

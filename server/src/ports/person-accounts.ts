import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What operators may do about the way somebody signs in. Each change stands or falls with its audit entry. */
export interface PersonAccounts {
  /** Replaces the password, if there is one, and ends all sessions. False: no such person. */
  setPassword(userId: Uuid, change: PasswordChange, entry: AuditEntry): Promise<boolean>
  /** From now on the address counts as proven. False: no such person. */
  verifyAddress(userId: Uuid, entry: AuditEntry): Promise<boolean>
}

export interface PasswordChange {
  readonly password: string
  /** For whoever has lost the device that shows the codes. */
  readonly dropSecondFactor: boolean
}

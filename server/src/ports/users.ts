import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

export interface Users {
  /** Makes the user and the personal wallet together; the address counts as verified. False: it is taken. */
  create(user: NewUser): Promise<boolean>
  /** By id or mail address, for operators. */
  find(reference: string): Promise<UserListing | null>
  /**
   * By mail address, for people who name one another. Only who has proven the address is found, or was vouched for by an
   * operator: otherwise whoever signs up first with somebody else's address would be let in under that name.
   */
  findVerified(email: string): Promise<UserListing | null>
  /** The audit entry is written in the same transaction. False: no such user. */
  setSuspended(userId: Uuid, suspended: boolean, entry: AuditEntry): Promise<boolean>
  /** Null: no such user. */
  readBreaker(userId: Uuid, nowMs: number): Promise<PersonalBreakerState | null>
  /** What is left out stays as it is. The audit entry is written in the same transaction. Null: no such user. */
  changeBreaker(
    userId: Uuid,
    change: Partial<PersonalBreaker>,
    describe: DescribeBreakerChange,
  ): Promise<PersonalBreaker | null>
}

export type DescribeBreakerChange = (before: PersonalBreaker, after: PersonalBreaker) => AuditEntry

export interface PersonalBreakerState {
  settings: PersonalBreaker
  /** In the running minute and hour, with every key of the user. */
  spent: { minute: NanoUsd; hour: NanoUsd }
}

export interface NewUser {
  id: Uuid
  walletId: Uuid
  email: string
  name: string
}

/** A null limit inherits the platform's default. */
export interface PersonalBreaker {
  enabled: boolean
  minute: NanoUsd | null
  hour: NanoUsd | null
}

export interface UserListing {
  id: Uuid
  walletId: Uuid
  email: string
  name: string
  suspended: boolean
  breaker: PersonalBreaker
}

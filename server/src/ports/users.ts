import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

export interface Users {
  /** Makes the user and the personal wallet together. False: the address is taken. */
  create(user: NewUser): Promise<boolean>
  /** By id or mail address. */
  find(reference: string): Promise<UserListing | null>
  /** False: no such user. */
  setSuspended(userId: Uuid, suspended: boolean): Promise<boolean>
  setBreaker(userId: Uuid, breaker: PersonalBreaker): Promise<boolean>
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

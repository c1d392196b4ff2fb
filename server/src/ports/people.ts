import type { SignedInPerson } from '#domain/access/client.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

export interface Users {
  /** Makes the user and the personal wallet together; the address counts as verified. False: it is taken. */
  create(user: NewUser): Promise<boolean>
  /** By id or mail address, for operators. */
  find(reference: string): Promise<UserListing | null>
  /**
   * By mail address, for people who name one another. Only who has proven the address is found, or was vouched for by
   * an operator: otherwise a person who signs up first with a stranger's address would be let in under that name.
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

/** What operators may do about the way a person signs in. Each change stands or falls with its audit entry. */
export interface PersonAccounts {
  /** Replaces the password, if there is one, and ends all sessions. False: no such person. */
  setPassword(userId: Uuid, change: PasswordChange, entry: AuditEntry): Promise<boolean>
  /** From now on the address counts as proven. False: no such person. */
  verifyAddress(userId: Uuid, entry: AuditEntry): Promise<boolean>
}

interface PasswordChange {
  readonly password: string
  /** For a person who has lost the device that shows the codes. */
  readonly dropSecondFactor: boolean
}

/** An installation without an account. */
export interface FirstRun {
  isDue(): Promise<boolean>
  /** Does the work unless there is an account by now; one process at a time. Null: it was not done. */
  once<Result>(work: () => Promise<Result>): Promise<Result | null>
}

/** The website's sessions. */
export interface Sessions {
  /** Who is signed in with these cookies; null when no person is. */
  findPerson(cookie: string): Promise<SignedInPerson | null>
}

/** How people prove who they are: everything under `/api/auth`, and the sessions that come of it. */
export interface SignIn {
  readonly sessions: Sessions
  /** Answers one request. `clientIp` is ours: nothing the request says about its sender is believed. */
  handle(request: SignInRequest): Promise<SignInAnswer>
}

export interface SignInAnswer {
  readonly response: Response
  /**
   * The address of the account that the browser has proven to own: it got a session, or chose a password through a
   * mail.
   */
  readonly provenEmail: string | null
}

export interface SignInRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Headers
  readonly body: Buffer | null
  readonly clientIp: string | null
}

/**
 * What a person is told by mail while signing up or in. No answer waits for it, because its duration would tell
 * something.
 */
export interface SignInNotices {
  /** A link that proves the address. */
  confirmAddress(notice: { readonly to: string; readonly token: string; readonly returnTo: string }): void
  /** A link under which a new password can be chosen; `link` leads to the website where it asked for that. */
  choosePassword(notice: { readonly to: string; readonly token: string; readonly link: string | null }): void
  /** A person tried to sign up with an address that has an account. */
  alreadyRegistered(notice: { readonly to: string }): void
}

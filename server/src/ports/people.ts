import type { SignedInPerson } from '#domain/access/client.ts'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

export interface Users {
  /**
   * Creates the user and the personal wallet together. The address counts as verified. Returns false if it is taken.
   */
  create(user: NewUser): Promise<boolean>
  /** Finds a user by id or email address, for operators. */
  find(reference: string): Promise<UserListing | null>
  /**
   * Finds a user by email address, for people who name one another. Finds only people who have verified the address or
   * were confirmed by an operator: otherwise a person who signs up first with a stranger's address would be admitted
   * under that name.
   */
  findVerified(email: string): Promise<UserListing | null>
  /** The audit entry is written in the same transaction. Returns false if the user does not exist. */
  setSuspended(userId: Uuid, suspended: boolean, entry: AuditEntry): Promise<boolean>
  /** Null if the user does not exist. */
  readBreaker(userId: Uuid, nowMs: number): Promise<PersonalBreakerState | null>
  /**
   * Omitted fields stay unchanged. The audit entry is written in the same transaction. Null if the user does not exist.
   */
  changeBreaker(
    userId: Uuid,
    change: Partial<PersonalBreaker>,
    describe: DescribeBreakerChange,
  ): Promise<PersonalBreaker | null>
}

export type DescribeBreakerChange = (before: PersonalBreaker, after: PersonalBreaker) => AuditEntry

export interface PersonalBreakerState {
  settings: PersonalBreaker
  /** Spend in the current minute and hour, over all keys of the user. */
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
  /** Whether the user is an operator of the platform. */
  operates: boolean
  breaker: PersonalBreaker
}

/** Changes that operators can make to a person's sign-in. Each commits together with its audit entry. */
export interface PersonAccounts {
  /** Replaces the password, if there is one, and ends all sessions. Returns false if the person does not exist. */
  setPassword(userId: Uuid, change: PasswordChange, entry: AuditEntry): Promise<boolean>
  /** Marks the address as verified. Returns false if the person does not exist. */
  verifyAddress(userId: Uuid, entry: AuditEntry): Promise<boolean>
}

interface PasswordChange {
  readonly password: string
  /** For a person who has lost the device with the codes. */
  readonly dropSecondFactor: boolean
}

/** The setup of an installation that has no account yet. */
export interface FirstRun {
  isDue(): Promise<boolean>
  /** Does the work if there is still no account, one process at a time. Null if the work was not done. */
  once<Result>(work: () => Promise<Result>): Promise<Result | null>
}

/** Sessions of the console. */
export interface Sessions {
  /**
   * The person who is signed in with these cookies. Null as well if an organization requires its identity provider by
   * now and the session began in another way.
   */
  findPerson(cookie: string): Promise<SignedInPerson | null>
}

/** How people sign in: everything under `/api/auth`, and the resulting sessions. */
export interface SignIn {
  readonly sessions: Sessions
  /**
   * Handles one request. `clientIp` is determined by the gateway: nothing that the request says about its sender is
   * trusted.
   */
  handle(request: SignInRequest): Promise<SignInAnswer>
  /** Begins a session for a person whom the organization's provider has proven. The response has only the cookies. */
  begin(request: {
    userId: Uuid
    organizationId: Uuid
    headers: Headers
    clientIp: string | null
  }): Promise<SignInAnswer>
}

export interface SignInAnswer {
  readonly response: Response
  /**
   * The address of the account that the browser has proven to own: the browser got a session, or set a password through
   * an emailed link.
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
 * Mails sent during sign-up and sign-in. No response waits for them, because its duration would reveal whether an
 * account exists.
 */
export interface SignInNotices {
  /** A link that verifies the address. */
  confirmAddress(notice: { readonly to: string; readonly token: string; readonly returnTo: string }): void
  /** A link for setting a new password. `link` leads to the page that requested it. */
  choosePassword(notice: { readonly to: string; readonly token: string; readonly link: string | null }): void
  /** A person tried to sign up with an address that has an account. */
  alreadyRegistered(notice: { readonly to: string }): void
}

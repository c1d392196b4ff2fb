import type { ChangeAuthor } from '#ports/keys.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { TopUp } from '#domain/payments/top-up.ts'

/** What a person may take along, and take away. */
export interface OwnData {
  readProfile(userId: Uuid): Promise<OwnProfile | null>
  /**
   * Orders of credit for the person's own wallet, and theirs for others; the oldest first, after the one that is named.
   */
  listOrders(query: {
    readonly userId: Uuid
    readonly walletId: Uuid
    readonly after: Uuid | null
    readonly limit: number
  }): Promise<TopUp[]>
  /** Movements of a wallet as its owner sees them, the oldest first, after the one that is named. */
  listTransfers(query: {
    readonly walletId: Uuid
    readonly after: TransferPlace | null
    readonly limit: number
  }): Promise<OwnTransfer[]>
  /**
   * Takes the person out of everything: sign-in, memberships, names; keys are revoked, and amounts stay under the bare
   * id. Or names the organizations that would be left without an administrator, and changes nothing.
   */
  erase(
    userId: Uuid,
    author: ChangeAuthor,
  ): Promise<ErasedPerson | 'missing' | { readonly soleAdminOf: readonly string[] }>
}

export interface OwnProfile {
  readonly id: Uuid
  readonly walletId: Uuid
  readonly email: string
  readonly name: string
  readonly emailVerified: boolean
  readonly createdAtMs: number
  readonly organizations: readonly OwnMembership[]
}

interface OwnMembership {
  readonly organizationId: Uuid
  readonly name: string
  readonly role: string
  readonly joinedAtMs: number
}

export interface TransferPlace {
  readonly id: Uuid
  readonly leg: number
}

export interface OwnTransfer extends TransferPlace {
  readonly kind: string
  readonly debit: string
  readonly credit: string
  readonly amount: NanoUsd
  readonly note: string | null
}

export interface ErasedPerson {
  readonly organizationIds: readonly Uuid[]
}

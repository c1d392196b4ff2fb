import type { EndCustomerRecord } from '#ports/end-customers.ts'
import type { RunRecord } from '#ports/runs.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { TopUp } from '#domain/payments/top-up.ts'

/** A person's data, for export and deletion. */
export interface OwnData {
  readProfile(userId: Uuid): Promise<OwnProfile | null>
  /**
   * Credit orders for the person's own wallet, and the person's orders for other wallets. The oldest first, after the
   * given one.
   */
  listOrders(query: {
    readonly userId: Uuid
    readonly walletId: Uuid
    readonly after: Uuid | null
    readonly limit: number
  }): Promise<TopUp[]>
  /** Transfers of a wallet as its owner sees them. The oldest first, after the given one. */
  listTransfers(query: {
    readonly walletId: Uuid
    readonly after: TransferPlace | null
    readonly limit: number
  }): Promise<OwnTransfer[]>
  /** Customers of a wallet, by their ids, after the given one. */
  listCustomers(query: {
    readonly walletId: Uuid
    readonly after: string | null
    readonly limit: number
  }): Promise<OwnCustomer[]>
  /** Runs of a wallet, by their ids, after the given one. */
  listRuns(query: { readonly walletId: Uuid; readonly after: string | null; readonly limit: number }): Promise<OwnRun[]>
  /**
   * Removes the person from sign-in, memberships and names. Keys are revoked, and amounts stay under the bare id. If
   * organizations would be left without an administrator, returns their names and changes nothing; nor does the last
   * owner of the platform disappear.
   */
  erase(
    userId: Uuid,
    author: ChangeAuthor,
  ): Promise<ErasedPerson | 'missing' | 'last owner' | { readonly soleAdminOf: readonly string[] }>
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

export type OwnCustomer = Omit<EndCustomerRecord, 'id' | 'spent' | 'requests'>

/** Its requests are in the export, too. */
export type OwnRun = Pick<
  RunRecord,
  'externalId' | 'parent' | 'budget' | 'rules' | 'stoppedAtMs' | 'stopReason' | 'createdAtMs'
>

export interface ErasedPerson {
  readonly organizationIds: readonly Uuid[]
}

import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Transfer } from '#domain/ledger/transfer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

export interface Wallets {
  /** By the wallet's id, its owner's id, a user's mail address or an organization's slug. */
  find(reference: string): Promise<Wallet | null>
  /** Writes the transfers and moves the balance with them, in one transaction. Null: no such wallet. */
  credit(credit: WalletCredit): Promise<NanoUsd | null>
}

export interface Wallet {
  id: Uuid
  ownerKind: 'user' | 'organization'
  ownerId: Uuid
  balance: NanoUsd
  held: NanoUsd
  credited: NanoUsd
  charged: NanoUsd
}

export interface WalletCredit {
  /** Of the ledger transaction. */
  id: Uuid
  walletId: Uuid
  transfers: readonly Transfer[]
  note: string | null
  /** What the audit log is to tell, in the same transaction. */
  entry?: AuditEntry
}

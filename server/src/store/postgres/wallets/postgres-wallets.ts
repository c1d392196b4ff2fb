import type { Pool } from 'pg'
import { grantedBy } from '#domain/ledger/transfer.ts'
import type { CreditedWallet, WalletCredit, Wallets } from '#ports/ledger.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { returnIdempotencyKey, takeIdempotencyKey } from '../idempotency/idempotency-keys.sql.ts'
import { inTransaction } from '../with-client.ts'
import { insertGrant } from './grants.sql.ts'
import { creditWallet, findWallet } from './wallets.sql.ts'

export function createPostgresWallets(pool: Pool): Wallets {
  return {
    find: (reference) => findWallet(pool, reference),
    credit: (credit) => creditOnce(pool, credit),
  }
}

/** The same wallets for clients of the API, which get a 503 while Postgres is unavailable. */
export function serveWallets(wallets: Wallets): Wallets {
  return {
    find: (reference) => refuseWhenAway(wallets.find(reference)),
    credit: (credit) => refuseWhenAway(wallets.credit(credit)),
  }
}

/** One transaction: the idempotency key, the transfers, the grant if the credit expires, and the audit entry. */
function creditOnce(pool: Pool, credit: WalletCredit): Promise<CreditedWallet | 'key_reused' | 'too_much' | null> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const { id, walletId, transfers, entry, request = null, expiresAtMs = null } = credit
    const wallet = await findWallet(client, walletId)
    if (wallet === null) return null
    if (request !== null) {
      const taken = await takeIdempotencyKey(client, request, id)
      if (taken.outcome === 'known') return { id: taken.resultId, balance: wallet.balance }
      if (taken.outcome === 'other request') return 'key_reused'
    }
    const balance = await creditWallet(client, credit)
    if (balance === null) {
      await returnIdempotencyKey(client, request)
      return 'too_much'
    }
    if (expiresAtMs !== null) await insertGrant(client, { id, walletId, amount: grantedBy(transfers), expiresAtMs })
    if (entry !== undefined) await appendAudit(client, [entry], Date.now())
    return { id, balance }
  })
}

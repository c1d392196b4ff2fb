import type { Pool, PoolClient } from 'pg'
import { type AuditEntry, platformChain, systemActor } from '#domain/audit/audit-entry.ts'
import { expiryTransfers } from '#domain/ledger/transfer.ts'
import { type NanoUsd, nanoUsd, usdJson, zeroUsd } from '#domain/money/nano-usd.ts'
import { inOrderOfEnd, judgeExpiry, usedOfGrants } from '#domain/payments/grant.ts'
import { assert } from '#lib/assert.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Grants } from '#ports/ledger.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { creditWallet } from './wallets.sql.ts'
import { inTransaction } from '../with-client.ts'
import { findDueWallets, keepExpired, listGrants, type LockedWallet, lockWallet, updateGrant } from './grants.sql.ts'

/** Ends grants on Postgres, one transaction per wallet. Any number of workers can run this concurrently. */
export function createGrants(pool: Pool): Grants {
  return {
    expire: async (atMost, nowMs) => {
      const wallets = await findDueWallets(pool, atMost)
      let returned: bigint = zeroUsd
      for (const walletId of wallets) {
        returned += await inTransaction(pool, 'READ COMMITTED', (client) => endGrants(client, walletId, nowMs))
      }
      return { wallets: wallets.length, returned: nanoUsd(returned) }
    },
  }
}

/** Requires the wallet's lock: another worker with the same wallet then finds nothing due. */
async function endGrants(client: PoolClient, walletId: Uuid, nowMs: number): Promise<NanoUsd> {
  const wallet = await lockWallet(client, walletId)
  assert(wallet !== null, 'the wallet of a grant exists')
  const grants = await listGrants(client, walletId)
  const used = usedOfGrants(grants, wallet.charged)
  const entries: AuditEntry[] = []
  let { balance } = wallet
  for (const grant of inOrderOfEnd(grants).filter(({ isDue }) => isDue)) {
    const expiry = judgeExpiry(grant, used.get(grant.id) ?? zeroUsd, { balance, held: wallet.held })
    await updateGrant(client, { id: grant.id, charged: wallet.charged }, expiry)
    if (expiry.back === 0n) continue
    // One millisecond apart, so that they are listed in the order in which they were booked.
    const id = newUuid(nowMs + entries.length)
    const after = await creditWallet(client, { id, walletId, transfers: expiryTransfers(expiry.back), note: null })
    assert(after !== null, 'a locked wallet exists')
    balance = after
    entries.push(entryOf(wallet, { walletId, grantId: grant.id, transactionId: id, amount: expiry.back }))
  }
  await keepExpired(client, walletId)
  await appendAudit(client, entries, nowMs)
  return nanoUsd(wallet.balance - balance)
}

function entryOf(
  { organizationId }: LockedWallet,
  {
    walletId,
    grantId,
    transactionId,
    amount,
  }: Record<'walletId' | 'grantId' | 'transactionId', Uuid> & { amount: NanoUsd },
): AuditEntry {
  return {
    chainId: organizationId ?? platformChain,
    actor: systemActor,
    requestId: null,
    action: 'wallet.grant_expired',
    target: { kind: 'wallet', id: walletId },
    details: { transactionId, grantId, amount: usdJson(amount) },
  }
}

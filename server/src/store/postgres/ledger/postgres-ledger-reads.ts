import type { Pool, PoolClient } from 'pg'
import { type OwnerKind, ownerKinds } from '#domain/ledger/transfer.ts'
import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { expiringCredits } from '#domain/payments/grant.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { LedgerReads, StatementLine, WalletStatement } from '#ports/ledger.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { listGrants } from '../wallets/grants.sql.ts'
import { listHolds } from './list-holds.sql.ts'
import { listTransfers } from './list-transfers.sql.ts'
import { readWalletTotals, sumCharges, sumCredits } from './wallet-totals.sql.ts'

/** The ledger of one wallet, from Postgres. */
export function createLedgerReads(pool: Pool): LedgerReads {
  // Values that are compared must come from one snapshot.
  const atOnce = <Result>(read: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    refuseWhenAway(inTransaction(pool, 'REPEATABLE READ, READ ONLY', read))
  return {
    readWallet: (walletId) =>
      atOnce(async (client) => {
        const books = await readWalletTotals(client, walletId)
        return { ...books, expiring: expiringCredits(await listGrants(client, walletId), books) }
      }),
    listTransfers: (query) => refuseWhenAway(listTransfers(pool, query)),
    listHolds: (query) => refuseWhenAway(listHolds(pool, query)),
    readStatement: (walletId, range) => atOnce((client) => readStatement(client, walletId, range)),
  }
}

/** The current balance minus later changes, so it matches the transfers in between to the nano-dollar. */
async function readStatement(client: PoolClient, walletId: Uuid, range: DayRange): Promise<WalletStatement> {
  const { balance } = await readWalletTotals(client, walletId)
  const sums = await sumCredits(client, walletId, range)
  sums.set('charge', await sumCharges(client, walletId, range))
  let opening: bigint = balance
  let closing: bigint = balance
  for (const { since, within } of sums.values()) {
    opening -= since.change
    closing -= since.change - within.change
  }
  const line = (kind: OwnerKind): StatementLine => ({
    kind,
    ...(sums.get(kind)?.within ?? { change: zeroUsd, moved: zeroUsd }),
  })
  return {
    opening: nanoUsd(opening),
    closing: nanoUsd(closing),
    lines: ownerKinds.map(line),
  }
}

import type { Pool, PoolClient } from 'pg'
import type { TopUp } from '#domain/payments/top-up.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { AttemptTerms, AutoTopUps } from '#ports/auto-top-up.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { inTransaction } from '../with-client.ts'
import { claimLow, findAutoTopUp, lockAutoTopUp, readStanding, switchOff, upsertAutoTopUp } from './auto-top-ups.sql.ts'
import { addTopUp } from './postgres-top-ups.ts'

/** Automatic top-ups, on Postgres. */
export function createAutoTopUps(pool: Pool): AutoTopUps {
  const change = <Result>(work: (client: PoolClient) => Promise<Result>): Promise<Result> =>
    refuseWhenAway(inTransaction(pool, 'READ COMMITTED', work))
  return {
    find: (walletId) => refuseWhenAway(findAutoTopUp(pool, walletId)),
    readStanding: (walletId, nowMs) => refuseWhenAway(readStanding(pool, walletId, nowMs)),
    put: (chosen, entry) =>
      change(async (client) => {
        await upsertAutoTopUp(client, chosen)
        await appendAudit(client, [entry], Date.now())
      }),
    switchOff: (walletId, { methodRef, entry }) =>
      change(async (client) => {
        if (await switchOff(client, walletId, methodRef)) await appendAudit(client, [entry], Date.now())
      }),
    claimLow: (provider, claim) => claimLow(pool, provider, claim),
    begin: (walletId, terms) => change((client) => begin(client, walletId, terms)),
  }
}

/** Requires the lock of the wallet's row, so that no other worker judges it meanwhile. */
async function begin(client: PoolClient, walletId: Uuid, terms: AttemptTerms): Promise<TopUp | null> {
  const chosen = await lockAutoTopUp(client, walletId)
  if (chosen === null || !chosen.isOn) return null
  const order = terms.decide(chosen, await readStanding(client, walletId, terms.nowMs))
  if (order === null) return null
  const added = await addTopUp(client, order, {
    limit: terms.limit,
    request: null,
    entry: () => terms.entry(order),
  })
  return typeof added === 'string' ? null : added
}

import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { grantedBy } from '#domain/ledger/transfer.ts'
import type { KeyStore } from '#ports/keys.ts'
import type { CreditedWallet, WalletCredit, Wallets } from '#ports/ledger.ts'
import type { Operators } from '#ports/operators.ts'
import type { Users } from '#ports/people.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { returnIdempotencyKey, takeIdempotencyKey } from '../payments/idempotency-keys.sql.ts'
import { createKeyStore } from '../keys/postgres-key-store.ts'
import { insertGrant } from '../ledger/grants.sql.ts'
import { changePersonalBreaker, readPersonalBreaker } from '../people/personal-breaker.ts'
import { inTransaction } from '../with-client.ts'
import { loadBrake, setBrake } from './brake.sql.ts'
import { changeAccount, insertAccount, listAccounts } from './provider-accounts.sql.ts'
import { listCircuits } from './provider-circuits.sql.ts'
import { deleteRoute, insertRoute, listRoutes } from './routes.sql.ts'
import { findUser, findVerifiedUser, insertUser, setUserSuspended } from './users.sql.ts'
import { creditWallet, findWallet } from './wallets.sql.ts'

/** Everything an operator changes, on Postgres. Each method is one transaction. */
export interface OperatorStores {
  operators: Operators
  users: Users
  wallets: Wallets
  keys: KeyStore
}

export function createPostgresOperators(pool: Pool): OperatorStores {
  return {
    operators: {
      addAccount: (account, entry) =>
        withEntry(pool, entry, async (client) => {
          const added = await insertAccount(client, account)
          return { result: added, isChanged: added }
        }),
      listAccounts: () => listAccounts(pool),
      listCircuits: () => listCircuits(pool),
      changeAccount: (name, change, describe) => changeAccount(pool, { name, change, describe }),
      addRoute: (route, entry) =>
        withEntry(pool, entry, async (client) => {
          const outcome = await insertRoute(client, route)
          return { result: outcome, isChanged: outcome === 'added' }
        }),
      listRoutes: () => listRoutes(pool),
      removeRoute: (route, entry) =>
        withEntry(pool, entry, async (client) => {
          const removed = await deleteRoute(client, route)
          return { result: removed, isChanged: removed }
        }),
      setBrake: (state, entry) =>
        withEntry(pool, entry, async (client) => ({ result: await setBrake(client, state), isChanged: true })),
      readBrake: () => loadBrake(pool),
    },
    users: {
      create: (user) => insertUser(pool, user),
      find: (reference) => findUser(pool, reference),
      findVerified: (email) => refuseWhenAway(findVerifiedUser(pool, email)),
      setSuspended: (userId, suspended, entry) =>
        withEntry(pool, entry, async (client) => {
          const found = await setUserSuspended(client, userId, suspended)
          return { result: found, isChanged: found }
        }),
      readBreaker: (userId, nowMs) => refuseWhenAway(readPersonalBreaker(pool, userId, nowMs)),
      changeBreaker: (userId, change, describe) =>
        refuseWhenAway(changePersonalBreaker(pool, { userId, change, describe })),
    },
    wallets: {
      find: (reference) => findWallet(pool, reference),
      credit: (credit) => creditOnce(pool, credit),
    },
    keys: createKeyStore(pool),
  }
}

/** A change and what the audit log says of it: both or neither. */
async function withEntry<Result>(
  pool: Pool,
  entry: AuditEntry,
  change: (client: PoolClient) => Promise<{ result: Result; isChanged: boolean }>,
): Promise<Result> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const { result, isChanged } = await change(client)
    if (isChanged) await appendAudit(client, [entry], Date.now())
    return result
  })
}

/** The transfers, when the credit expires, what the audit log says of them, and the key that keeps the same request from being booked again. */
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

/** What operators change, for clients of the API, who hear 503 while Postgres is away. */
export function serveOperators(stores: OperatorStores): { operators: Operators; users: Users; wallets: Wallets } {
  const { operators, users, wallets } = stores
  return {
    operators: {
      addAccount: (account, entry) => refuseWhenAway(operators.addAccount(account, entry)),
      listAccounts: () => refuseWhenAway(operators.listAccounts()),
      listCircuits: () => refuseWhenAway(operators.listCircuits()),
      changeAccount: (name, change, describe) => refuseWhenAway(operators.changeAccount(name, change, describe)),
      addRoute: (route, entry) => refuseWhenAway(operators.addRoute(route, entry)),
      listRoutes: () => refuseWhenAway(operators.listRoutes()),
      removeRoute: (route, entry) => refuseWhenAway(operators.removeRoute(route, entry)),
      setBrake: (state, entry) => refuseWhenAway(operators.setBrake(state, entry)),
      readBrake: () => refuseWhenAway(operators.readBrake()),
    },
    users: {
      ...users,
      find: (reference) => refuseWhenAway(users.find(reference)),
      setSuspended: (userId, suspended, entry) => refuseWhenAway(users.setSuspended(userId, suspended, entry)),
    },
    wallets: {
      find: (reference) => refuseWhenAway(wallets.find(reference)),
      credit: (credit) => refuseWhenAway(wallets.credit(credit)),
    },
  }
}

import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { KeyStore } from '#ports/keys.ts'
import type { Wallets } from '#ports/ledger.ts'
import type { Operators } from '#ports/operators.ts'
import type { Users } from '#ports/people.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { refuseWhenAway } from '../faults.ts'
import { createKeyStore } from '../keys/postgres-key-store.ts'
import { changePersonalBreaker, readPersonalBreaker } from '../people/personal-breaker.ts'
import { createPostgresWallets, serveWallets } from '../wallets/postgres-wallets.ts'
import { inTransaction } from '../with-client.ts'
import { loadBrake, setBrake } from './brake.sql.ts'
import { changeAccount, insertAccount, listAccounts } from './provider-accounts.sql.ts'
import { listCircuits } from './provider-circuits.sql.ts'
import { deleteRoute, insertRoute, listRoutes } from './routes.sql.ts'
import { findUser, findVerifiedUser, insertUser, setUserSuspended } from './users.sql.ts'

/** The stores that an operator changes, on Postgres. Each method is one transaction. */
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
    wallets: createPostgresWallets(pool),
    keys: createKeyStore(pool),
  }
}

/** A change and its audit entry: both or neither. */
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

/** The operators' stores, for clients of the API, which get 503 while Postgres is unavailable. */
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
    wallets: serveWallets(wallets),
  }
}

import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { KeyBook } from '#ports/key-book.ts'
import type { Operators } from '#ports/operators.ts'
import type { Users } from '#ports/users.ts'
import type { WalletCredit, Wallets } from '#ports/wallets.ts'
import { appendAudit } from '../audit/append-audit.sql.ts'
import { inTransaction } from '../in-transaction.ts'
import { createKeyBook } from '../keys/postgres-key-book.ts'
import { changeAccount } from './change-account.ts'
import { creditWallet } from './credit-wallet.sql.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import { changePersonalBreaker } from '../people/change-personal-breaker.ts'
import { readPersonalBreaker } from '../people/read-personal-breaker.sql.ts'
import { deleteRoute } from './delete-route.sql.ts'
import { findUser } from './find-user.sql.ts'
import { findVerifiedUser } from './find-verified-user.sql.ts'
import { findWallet } from './find-wallet.sql.ts'
import { insertAccount } from './insert-account.sql.ts'
import { insertRoute } from './insert-route.sql.ts'
import { insertUser } from './insert-user.sql.ts'
import { listAccounts } from './list-accounts.sql.ts'
import { listRoutes } from './list-routes.sql.ts'
import { loadBrake } from './load-brake.sql.ts'
import { setBrake } from './set-brake.sql.ts'
import { setUserSuspended } from './set-user-suspended.sql.ts'

/** Everything an operator changes, on Postgres. Each method is one transaction. */
export interface OperatorStores {
  operators: Operators
  users: Users
  wallets: Wallets
  keys: KeyBook
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
      credit: (credit) => creditWithEntry(pool, credit),
    },
    keys: createKeyBook(pool),
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

async function creditWithEntry(pool: Pool, credit: WalletCredit) {
  const { entry } = credit
  if (entry === undefined) return creditWallet(pool, credit)
  return withEntry(pool, entry, async (client) => {
    const balance = await creditWallet(client, credit)
    return { result: balance, isChanged: balance !== null }
  })
}

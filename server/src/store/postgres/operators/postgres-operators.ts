import type { Pool } from 'pg'
import type { KeyBook } from '#ports/key-book.ts'
import type { Operators } from '#ports/operators.ts'
import type { Users } from '#ports/users.ts'
import type { Wallets } from '#ports/wallets.ts'
import { creditWallet } from './credit-wallet.sql.ts'
import { deleteRoute } from './delete-route.sql.ts'
import { findUser } from './find-user.sql.ts'
import { findWallet } from './find-wallet.sql.ts'
import { insertAccount } from './insert-account.sql.ts'
import { insertKey } from './insert-key.sql.ts'
import { insertRoute } from './insert-route.sql.ts'
import { insertUser } from './insert-user.sql.ts'
import { listAccounts } from './list-accounts.sql.ts'
import { listKeys } from './list-keys.sql.ts'
import { listRoutes } from './list-routes.sql.ts'
import { loadBrake } from './load-brake.sql.ts'
import { revokeKey } from './revoke-key.sql.ts'
import { setAccountEnabled } from './set-account-enabled.sql.ts'
import { setBrake } from './set-brake.sql.ts'
import { setKeyCidrs } from './set-key-cidrs.sql.ts'
import { setKeyEnabled } from './set-key-enabled.sql.ts'
import { setUserBreaker } from './set-user-breaker.sql.ts'
import { setUserSuspended } from './set-user-suspended.sql.ts'

/** Everything an operator changes, on Postgres. Each method is one statement, and so one transaction. */
export interface OperatorStores {
  operators: Operators
  users: Users
  wallets: Wallets
  keys: KeyBook
}

export function createPostgresOperators(pool: Pool): OperatorStores {
  return {
    operators: {
      addAccount: (account) => insertAccount(pool, account),
      listAccounts: () => listAccounts(pool),
      setAccountEnabled: (name, enabled) => setAccountEnabled(pool, name, enabled),
      addRoute: (route) => insertRoute(pool, route),
      listRoutes: () => listRoutes(pool),
      removeRoute: (route) => deleteRoute(pool, route),
      setBrake: (state) => setBrake(pool, state),
      readBrake: () => loadBrake(pool),
    },
    users: {
      create: (user) => insertUser(pool, user),
      find: (reference) => findUser(pool, reference),
      setSuspended: (userId, suspended) => setUserSuspended(pool, userId, suspended),
      setBreaker: (userId, breaker) => setUserBreaker(pool, userId, breaker),
    },
    wallets: {
      find: (reference) => findWallet(pool, reference),
      credit: (credit) => creditWallet(pool, credit),
    },
    keys: {
      create: (key) => insertKey(pool, key),
      list: (userId) => listKeys(pool, userId),
      setEnabled: (keyId, enabled) => setKeyEnabled(pool, keyId, enabled),
      setAllowedCidrs: (keyId, cidrs) => setKeyCidrs(pool, keyId, cidrs),
      revoke: (keyId) => revokeKey(pool, keyId),
    },
  }
}

import type { Operators } from '#ports/operators.ts'
import type { Users } from '#ports/users.ts'
import type { Wallets } from '#ports/wallets.ts'
import { refuseWhenAway } from '../account/refuse-when-away.ts'
import type { OperatorStores } from './postgres-operators.ts'

/** What operators change, for callers of the API, who hear 503 while Postgres is away. */
export function serveOperators(stores: OperatorStores): { operators: Operators; users: Users; wallets: Wallets } {
  const { operators, users, wallets } = stores
  return {
    operators: {
      addAccount: (account, entry) => refuseWhenAway(operators.addAccount(account, entry)),
      listAccounts: () => refuseWhenAway(operators.listAccounts()),
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

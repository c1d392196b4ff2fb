import type { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import type { SetUpDeps } from '#control/first-run/set-up.ts'
import type { Announce } from '#ports/announce.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { createFirstRun } from '#store/postgres/people/first-run.ts'
import { createPersonAccounts } from '#store/sign-in/person-accounts.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { vendorTerms } from '../vendor-terms.ts'

/** Dependencies for creating the first account, for the console and for `weir migrate`. */
export function setUpDepsOf(deps: { config: Config; pool: Pool; announce: Announce; nowMs: () => number }): SetUpDeps {
  const { pool, announce, nowMs } = deps
  const { users, wallets, operators } = createPostgresOperators(pool)
  return {
    firstRun: createFirstRun(pool),
    users,
    wallets,
    operators,
    accounts: createPersonAccounts(pool, nowMs),
    organizations: createOrganizations(pool),
    sealingKey: sealingKeyOf(deps.config),
    vendors: vendorTerms,
    announce,
  }
}

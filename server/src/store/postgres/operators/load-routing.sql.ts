import type { Pool } from 'pg'
import type { ProviderAccount, Route, RoutingTable } from '#domain/routing/routing-table.ts'
import { isJsonObject, stringAt } from '#lib/json.ts'
import { type Sealed, type SealingKey, unseal } from '#lib/seal.ts'

// One statement, so that the revision, the accounts and the routes are of the same moment.
const text = `SELECT
  (SELECT revision FROM revisions WHERE topic = 'routing') AS revision,
  (SELECT coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'vendor', a.vendor, 'baseUrl', a.base_url,
      'credential', a.credential) ORDER BY a.name), '[]')
   FROM provider_accounts a WHERE a.enabled) AS accounts,
  (SELECT coalesce(json_agg(json_build_object('pattern', r.pattern, 'accountId', r.account_id,
      'upstreamModel', r.upstream_model, 'priority', r.priority) ORDER BY r.pattern, r.priority, r.id), '[]')
   FROM routes r JOIN provider_accounts a ON a.id = r.account_id AND a.enabled) AS routes`

interface Row {
  revision: string | null
  accounts: (Omit<ProviderAccount, 'credential'> & { credential: unknown })[]
  routes: (Omit<Route, 'account'> & { accountId: string })[]
}

/** The enabled accounts with their credentials opened, and their routes in the order of trying. */
export async function loadRouting(pool: Pool, sealingKey: SealingKey): Promise<RoutingTable> {
  const { rows } = await pool.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the routing statement answered no row')
  const accounts = row.accounts.map((account) => ({ ...account, credential: openCredential(account, sealingKey) }))
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const routes = new Map<string, Route[]>()
  for (const { accountId, ...route } of row.routes) {
    const account = byId.get(accountId)
    if (account === undefined) continue
    const sharing = routes.get(route.pattern) ?? []
    sharing.push({ ...route, account })
    routes.set(route.pattern, sharing)
  }
  return { revision: Number(row.revision ?? 0), accounts, routes }
}

function openCredential(account: { id: string; name: string; credential: unknown }, key: SealingKey): string | null {
  if (account.credential === null) return null
  try {
    return unseal(key, readSealed(account.credential), account.id)
  } catch (cause) {
    throw new Error(`the credential of provider account ${account.name} can not be opened with this secret`, { cause })
  }
}

function readSealed(value: unknown): Sealed {
  if (!isJsonObject(value)) throw new Error('a sealed value is an object')
  const keyId = stringAt(value, 'keyId')
  const wrappedKey = stringAt(value, 'wrappedKey')
  const sealed = stringAt(value, 'value')
  if (keyId === undefined || wrappedKey === undefined || sealed === undefined) throw new Error('a part is missing')
  return { keyId, wrappedKey, value: sealed }
}

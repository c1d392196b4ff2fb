import type { Pool } from 'pg'
import type { ProviderAccount, Route, RoutingTable } from '#domain/routing/routing-table.ts'
import { parseSealed, SealError, type SealingKey, unseal } from '#lib/seal.ts'

// One statement, so that the revision, the accounts and the routes are of the same moment.
const text = `SELECT
  (SELECT revision FROM revisions WHERE topic = 'routing') AS revision,
  (SELECT coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'vendor', a.vendor, 'baseUrl', a.base_url,
      'credential', a.credential, 'keepsPrompts', a.keeps_prompts, 'weight', a.weight, 'variant', a.variant) ORDER BY a.name), '[]')
   FROM provider_accounts a WHERE a.enabled) AS accounts,
  (SELECT coalesce(json_agg(json_build_object('pattern', r.pattern, 'accountId', r.account_id,
      'upstreamModel', r.upstream_model, 'priority', r.priority) ORDER BY r.pattern, r.priority, r.id), '[]')
   FROM routes r JOIN provider_accounts a ON a.id = r.account_id AND a.enabled) AS routes`

interface Row {
  revision: string | null
  accounts: (Omit<ProviderAccount, 'credential' | 'keepsPrompts'> & {
    credential: unknown
    keepsPrompts: boolean | null
  })[]
  routes: (Omit<Route, 'account'> & { accountId: string })[]
}

export interface LoadRoutingNeeds {
  sealingKey: SealingKey
  /** What is known of a vendor, for accounts that say nothing of their own. */
  vendorKeepsPrompts: (vendor: string) => boolean
}

/** The enabled accounts with their credentials opened, and their routes in the order of trying. */
export async function loadRouting(pool: Pool, needs: LoadRoutingNeeds): Promise<RoutingTable> {
  const { rows } = await pool.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the routing statement answered no row')
  const accounts = row.accounts.map((account) => ({
    ...account,
    keepsPrompts: account.keepsPrompts ?? needs.vendorKeepsPrompts(account.vendor),
    credential: openCredential(account, needs.sealingKey),
  }))
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
    return unseal(key, parseSealed(account.credential), account.id)
  } catch (cause) {
    throw new SealError(`the credential of provider account ${account.name} cannot be opened with this secret`, {
      cause,
    })
  }
}

import type { Pool, PoolClient } from 'pg'
import type { UpstreamApi } from '#domain/catalogue/model.ts'
import type { ProviderAccount, Route, RoutingTable } from '#domain/routing/routing-table.ts'
import { parseSealed, SealError, type SealingKey, unseal } from '#lib/seal.ts'
import type { NewRoute, RouteListing } from '#ports/operators.ts'

/** In the order in which they are tried, by pattern. */
export async function listRoutes(pool: Pool): Promise<RouteListing[]> {
  const text = `SELECT r.pattern, a.name AS "accountName", r.upstream_model AS "upstreamModel", r.priority, a.enabled AS "accountEnabled"
    FROM routes r JOIN provider_accounts a ON a.id = r.account_id ORDER BY r.pattern, r.priority, r.id`
  const { rows } = await pool.query<RouteListing>(text)
  return rows
}

export async function insertRoute(
  client: PoolClient,
  route: NewRoute,
): Promise<'added' | 'exists' | 'no such account'> {
  const text = `WITH account AS (
      SELECT id FROM provider_accounts WHERE name = $2
    ), added AS (
      INSERT INTO routes (id, pattern, account_id, upstream_model, priority)
      SELECT $1, $3, account.id, $4, $5 FROM account ON CONFLICT (pattern, account_id) DO NOTHING RETURNING id
    ), moved AS (
      UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM added)
    )
    SELECT EXISTS (SELECT FROM account) AS known, EXISTS (SELECT FROM added) AS added`
  const values = [route.id, route.accountName, route.pattern, route.upstreamModel, route.priority]
  const { rows } = await client.query<{ known: boolean; added: boolean }>(text, values)
  const [row] = rows
  if (row?.added === true) return 'added'
  return row?.known === true ? 'exists' : 'no such account'
}

/** Returns false if there is no such route. */
export async function deleteRoute(
  client: PoolClient,
  route: { pattern: string; accountName: string },
): Promise<boolean> {
  const text = `WITH removed AS (
      DELETE FROM routes USING provider_accounts a WHERE routes.account_id = a.id AND routes.pattern = $1 AND a.name = $2
      RETURNING routes.id
    ), moved AS (
      UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM removed)
    )
    SELECT id FROM removed`
  const { rowCount } = await client.query(text, [route.pattern, route.accountName])
  return rowCount === 1
}

interface Row {
  revision: string | null
  accounts: (Omit<ProviderAccount, 'credential' | 'keepsPrompts' | 'api'> & {
    credential: unknown
    keepsPrompts: boolean | null
    api: UpstreamApi | null
  })[]
  routes: (Omit<Route, 'account'> & { accountId: string })[]
}

interface LoadRoutingDeps {
  sealingKey: SealingKey
  /** The vendor's default, for accounts without their own setting. */
  vendorKeepsPrompts: (vendor: string) => boolean
}

/** The enabled accounts with decrypted credentials, and their routes in the order in which they are tried. */
export async function loadRouting(pool: Pool, deps: LoadRoutingDeps): Promise<RoutingTable> {
  // One statement, so that the revision, the accounts and the routes come from one snapshot.
  const text = `SELECT
    (SELECT revision FROM revisions WHERE topic = 'routing') AS revision,
    (SELECT coalesce(json_agg(json_build_object('id', a.id, 'name', a.name, 'vendor', a.vendor, 'baseUrl', a.base_url,
        'credential', a.credential, 'keepsPrompts', a.keeps_prompts, 'weight', a.weight, 'variant', a.variant,
        'api', a.api, 'overrides', a.overrides, 'discountPpm', a.discount_ppm) ORDER BY a.name), '[]')
     FROM provider_accounts a WHERE a.enabled) AS accounts,
    (SELECT coalesce(json_agg(json_build_object('pattern', r.pattern, 'accountId', r.account_id,
        'upstreamModel', r.upstream_model, 'priority', r.priority) ORDER BY r.pattern, r.priority, r.id), '[]')
     FROM routes r JOIN provider_accounts a ON a.id = r.account_id AND a.enabled) AS routes`
  const { rows } = await pool.query<Row>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the routing query returned no row')
  const accounts = row.accounts.map(({ api, ...account }) => ({
    ...account,
    ...(api === null ? {} : { api }),
    keepsPrompts: account.keepsPrompts ?? deps.vendorKeepsPrompts(account.vendor),
    credential: openCredential(account, deps.sealingKey),
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
    throw new SealError(`the credential of provider account ${account.name} can't be decrypted with this secret`, {
      cause,
    })
  }
}

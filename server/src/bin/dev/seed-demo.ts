import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { addOperator } from '#control/operators/operator-people.ts'
import { createKey } from '#control/keys/create-key.ts'
import { createUser } from '#control/operators/create-user.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import type { KeyOwner } from '#ports/keys.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import { createKeys } from '#store/postgres/identity/keys.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { createOperatorPeople } from '#store/postgres/operators/operator-people.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { programFiles } from '../program-files.ts'
import { historyDays, seedHistory } from './history/seed-history.ts'
import { seedDemoOrganization } from './organization/seed-demo-organization.ts'

export interface DemoKeys {
  standardKey: string
  managementKey: string
  /** A member's key, paid by the demo organization. */
  organizationKey: string
}

export const demoEmail = 'demo@example.com'
const demoUsd = '25'
const historySeed = 20_261
const monthMs = historyDays * 86_400_000

/**
 * Migrates, imports the sample catalogue, and creates what is missing: a demo user with credit, a month of past
 * requests and a key of each type, and an organization with people, past requests and limits. The past requests are
 * created once, with the user and the organization.
 */
export async function seedDemo(
  config: Pick<Config, 'postgres'>,
  known: Partial<DemoKeys>,
  nowMs = Date.now(),
): Promise<DemoKeys> {
  const pool = createPool({ connectionString: config.postgres.url, max: 2, onError: () => {} })
  try {
    await prepareDatabase(pool, programFiles.sqlFolder)
    await importSampleCatalogue(pool, nowMs - monthMs)
    const userId = await demoUser(pool, nowMs)
    await makeOwner(pool, nowMs)
    const place = await seedDemoOrganization(pool, userId, nowMs)
    return {
      standardKey: await demoKey(pool, { kind: 'user', userId }, 'standard', known.standardKey),
      managementKey: await demoKey(pool, { kind: 'user', userId }, 'management', known.managementKey),
      organizationKey: await demoKey(pool, { kind: 'organization', ...place }, 'standard', known.organizationKey),
    }
  } finally {
    await pool.end()
  }
}

/** Prices are valid from before the first past request of the demo. */
async function importSampleCatalogue(pool: Pool, validFromMs: number): Promise<void> {
  const parsed = parseCatalogueFile(JSON.parse(await readFile(programFiles.demoCatalogue, 'utf8')))
  if (!parsed.accepted) throw new Error('the sample catalogue is invalid')
  await createCatalogueStore(pool).import(parsed.rows, validFromMs)
}

async function demoUser(pool: Pool, nowMs: number): Promise<string> {
  const { users, wallets } = createPostgresOperators(pool)
  const found = await users.find(demoEmail)
  if (found !== null) return found.id
  const monthAgo = operatorAuthor(nowMs - monthMs)
  const user = await createUser(users, { email: demoEmail, name: 'Demo' }, monthAgo.nowMs)
  const credit = { reference: user.walletId, amount: parseUsd(demoUsd), source: 'grant', note: 'demo credit' } as const
  await creditWallet({ wallets, announce: async () => {} }, credit, monthAgo)
  await seedHistory(pool, { walletId: user.walletId, userId: user.id }, { seed: historySeed, nowMs })
  return user.id
}

/** Makes the demo user an owner of the platform, unless the user operates it already. */
async function makeOwner(pool: Pool, nowMs: number): Promise<void> {
  const people = createOperatorPeople(pool)
  if ((await people.list()).some(({ email }) => email === demoEmail)) return
  const { users } = createPostgresOperators(pool)
  await addOperator({ people, users }, { email: demoEmail, role: 'owner' }, operatorAuthor(nowMs))
}

/** Reuses the key of an earlier start if it still works, else creates a new one. */
async function demoKey(
  pool: Pool,
  owner: KeyOwner,
  type: 'standard' | 'management',
  known: string | undefined,
): Promise<string> {
  const principal = known === undefined ? null : await createKeys(pool).findPrincipal(hash('sha256', known))
  if (known !== undefined && principal !== null) return known
  const { keys } = createPostgresOperators(pool)
  const terms = { name: `demo ${type}`, type, limit: null, period: null, expiresAtMs: null, allowedCidrs: [] }
  const author = operatorAuthor(Date.now())
  return (await createKey(keys, { owner, terms, author })).secret
}

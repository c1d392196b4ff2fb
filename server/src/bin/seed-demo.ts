import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { hash } from 'node:crypto'
import { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { createKey } from '#control/keys/create-key.ts'
import { createUser } from '#control/operators/create-user.ts'
import { creditWallet } from '#control/wallets/credit-wallet.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createKeys } from '#store/postgres/identity/keys.ts'
import { migrate } from '#store/postgres/migrate.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'

export interface DemoKeys {
  standardKey: string
  managementKey: string
}

const demoEmail = 'demo@example.com'
const demoUsd = '25'
const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const catalogueUrl = new URL('../../test/samples/catalogue.json', import.meta.url)

/** Migrates, imports the sample catalogue, and makes sure of a demo user with credit and a key of each type. */
export async function seedDemo(config: Config, known: Partial<DemoKeys>): Promise<DemoKeys> {
  const pool = new Pool({ connectionString: config.postgres.url, max: 2 })
  try {
    await migrate(pool, migrationsFolder)
    await importSampleCatalogue(pool)
    const userId = await demoUser(pool)
    return {
      standardKey: await demoKey(pool, userId, 'standard', known.standardKey),
      managementKey: await demoKey(pool, userId, 'management', known.managementKey),
    }
  } finally {
    await pool.end()
  }
}

async function importSampleCatalogue(pool: Pool): Promise<void> {
  const parsed = parseCatalogueFile(JSON.parse(await readFile(catalogueUrl, 'utf8')))
  if (!parsed.accepted) throw new Error('the sample catalogue is refused')
  await createCatalogueStore(pool).import(parsed.rows, Date.now())
}

async function demoUser(pool: Pool): Promise<string> {
  const { users, wallets } = createPostgresOperators(pool)
  const found = await users.find(demoEmail)
  if (found !== null) return found.id
  const user = await createUser(users, { email: demoEmail, name: 'Demo' }, Date.now())
  const credit = { reference: user.walletId, amount: parseUsd(demoUsd), source: 'grant', note: 'demo credit' } as const
  await creditWallet({ wallets, announce: async () => {} }, credit, Date.now())
  return user.id
}

/** The key of an earlier start if it still works, else a new one. */
async function demoKey(
  pool: Pool,
  userId: string,
  type: 'standard' | 'management',
  known: string | undefined,
): Promise<string> {
  const principal = known === undefined ? null : await createKeys(pool).findPrincipal(hash('sha256', known))
  if (known !== undefined && principal !== null) return known
  const { keys } = createPostgresOperators(pool)
  const terms = { name: `demo ${type}`, type, limit: null, period: null, expiresAtMs: null, allowedCidrs: [] }
  return (await createKey(keys, { userId, terms }, Date.now())).secret
}

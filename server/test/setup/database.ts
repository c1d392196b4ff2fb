import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { readSchemaSource } from '#store/postgres/schema/schema-source.ts'
import { importSampleCatalogue, sampleCatalogueFile } from './sample-catalogue.ts'

export interface TestDatabase {
  url: string
  pool: Pool
  drop(): Promise<void>
}

const sqlFolder = join(import.meta.dirname, '../../sql')

// All test processes on one Postgres take turns at creating the template.
const templateLock = 7_351_002_119

/** Creates a migrated database for a test: a copy of a template that is created once per schema. */
export function createTestDatabase(): Promise<TestDatabase> {
  return copyTemplate('migrated')
}

/** The same with the sample catalogue. */
export function createSampleDatabase(): Promise<TestDatabase> {
  return copyTemplate('sample')
}

/** A database without a schema. */
export async function createEmptyDatabase(): Promise<TestDatabase> {
  const name = newName()
  await onEngine((engine) => engine.query(`CREATE DATABASE ${name}`))
  return openDatabase(name)
}

type TemplateKind = 'migrated' | 'sample'

async function copyTemplate(kind: TemplateKind): Promise<TestDatabase> {
  const template = `weir_template_${kind}_${await hashTemplate(kind)}`
  const name = newName()
  await onEngine(async (engine) => {
    await ensureTemplate(engine, template, kind)
    // Copying files is twice as fast as the default, which writes every page to the WAL.
    await engine.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  })
  return openDatabase(name)
}

function newName(): string {
  return `weir_test_${randomBytes(8).toString('hex')}`
}

function openDatabase(name: string): TestDatabase {
  const url = databaseUrl(name)
  const pool = new Pool({ connectionString: url, max: 8 })
  // The pool ends before its last connections; dropping the database may still cut those off. An idle connection
  // reports that to the pool, and any other emits it itself.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return {
    url,
    pool,
    async drop() {
      await pool.end()
      await onEngine((engine) => engine.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
    },
  }
}

function engineUrl(): string {
  return process.env['WEIR_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
}

function databaseUrl(name: string): string {
  const url = new URL(engineUrl())
  url.pathname = `/${name}`
  return url.href
}

async function onEngine<T>(use: (engine: Client) => Promise<T>): Promise<T> {
  const engine = new Client({ connectionString: engineUrl() })
  await engine.connect()
  try {
    return await use(engine)
  } finally {
    await engine.end()
  }
}

/** The complete template is closed to connections, which also distinguishes it from a failed attempt. */
async function ensureTemplate(engine: Client, template: string, kind: TemplateKind): Promise<void> {
  if ((await templateState(engine, template)) === 'complete') return
  await engine.query('SELECT pg_advisory_lock($1)', [templateLock])
  try {
    const state = await templateState(engine, template)
    if (state === 'complete') return
    if (state === 'missing') await engine.query(`CREATE DATABASE ${template}`)
    const pool = new Pool({ connectionString: databaseUrl(template), max: 1 })
    await fillTemplate(pool, kind).finally(() => pool.end())
    await engine.query(`ALTER DATABASE ${template} ALLOW_CONNECTIONS false`)
  } finally {
    await engine.query('SELECT pg_advisory_unlock($1)', [templateLock])
  }
}

async function templateState(engine: Client, template: string): Promise<'missing' | 'started' | 'complete'> {
  const { rows } = await engine.query<{ datallowconn: boolean }>(
    'SELECT datallowconn FROM pg_database WHERE datname = $1',
    [template],
  )
  const [row] = rows
  if (row === undefined) return 'missing'
  return row.datallowconn ? 'started' : 'complete'
}

async function fillTemplate(pool: Pool, kind: TemplateKind): Promise<void> {
  await prepareDatabase(pool, sqlFolder)
  if (kind === 'sample') await importSampleCatalogue(pool)
}

async function hashTemplate(kind: TemplateKind): Promise<string> {
  const hash = createHash('sha256')
  const { migrations, functions } = await readSchemaSource(sqlFolder)
  for (const { name, text } of [...migrations, ...functions]) hash.update(name).update(text)
  if (kind === 'sample') hash.update(await readFile(sampleCatalogueFile))
  return hash.digest('hex').slice(0, 16)
}

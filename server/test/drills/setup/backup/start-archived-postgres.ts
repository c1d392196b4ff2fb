import { execFile } from 'node:child_process'
import { readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Pool } from 'pg'
import { createPool } from '#store/postgres/create-pool.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import type { TestDatabase } from '#test/setup/database.ts'
import { importSampleCatalogue } from '#test/setup/sample-catalogue.ts'
import { createOwnedFolder } from '../cluster/engine-owner.ts'
import { installCluster } from '../install-cluster.ts'
import { createPrivatePostgres, type PrivatePostgres } from '../private-postgres.ts'
import { until } from '../until.ts'

const run = promisify(execFile)
const sqlFolder = fileURLToPath(new URL('../../../../sql', import.meta.url))

/** A Postgres with pgBackRest WAL archiving and base backups. */
export interface ArchivedPostgres {
  /** A migrated database with the sample catalogue. Dropping it removes the server, its archive and its backups. */
  readonly database: TestDatabase
  readonly postgres: PrivatePostgres
  backUp(): Promise<void>
  /** Resolves when every committed transaction is in the archive. */
  archiveAll(): Promise<void>
  repositoryBytes(): Promise<number>
  /** Destroys the disk with all its data. */
  lose(): Promise<void>
  /** Restores the whole archive on the same port. */
  restore(): Promise<void>
  /** Restores the state of that time as another server. */
  restoreAside(at: string): Promise<PrivatePostgres>
}

export async function startArchivedPostgres(): Promise<ArchivedPostgres> {
  await installCluster()
  const { folder, owner } = await createOwnedFolder('archived')
  const repository = join(folder, 'repository')
  const settings = { archive_mode: 'on', wal_level: 'replica' }
  const postgres = await createPrivatePostgres({ parentFolder: folder, settings })
  const configuration = join(folder, 'pgbackrest.conf')
  await writeFile(configuration, configurationOf({ folder, repository, postgres }))
  const tool = (...words: string[]) =>
    run('pgbackrest', [`--config=${configuration}`, '--stanza=weir', ...words], { cwd: folder, ...owner })
  const pool = createPool({
    connectionString: postgres.url,
    max: 8,
    connectionTimeoutMillis: 10_000,
    onError: () => {},
  })
  await prepareDatabase(pool, sqlFolder)
  await importSampleCatalogue(pool)
  await tool('stanza-create')
  await pool.query(
    `ALTER SYSTEM SET archive_command = 'pgbackrest --config=${configuration} --stanza=weir archive-push %p'`,
  )
  await pool.query('SELECT pg_reload_conf()')
  return {
    postgres,
    database: {
      url: postgres.url,
      pool,
      drop: async () => {
        await pool.end()
        await postgres.remove()
        await rm(folder, { recursive: true, force: true })
      },
    },
    backUp: async () => void (await tool('backup', '--type=full')),
    archiveAll: () => archiveAll(pool),
    repositoryBytes: () => bytesOf(repository),
    lose: async () => {
      await postgres.crash()
      await rm(postgres.dataFolder, { recursive: true })
    },
    restore: async () => {
      await tool('restore')
      await postgres.start()
      await until(async () => whatIsRecovered(pool))
    },
    restoreAside: async (at) => {
      const aside = await createOwnedFolder('aside')
      const data = join(aside.folder, 'data')
      await tool(
        'restore',
        `--pg1-path=${data}`,
        '--type=time',
        `--target=${at}`,
        '--target-action=promote',
        '--archive-mode=off',
      )
      const restored = await createPrivatePostgres({ keptFolder: aside.folder })
      const reader = createPool({ connectionString: restored.url, max: 1, onError: () => {} })
      await until(async () => whatIsRecovered(reader)).finally(() => reader.end())
      return restored
    },
  }
}

function configurationOf(place: { folder: string; repository: string; postgres: PrivatePostgres }): string {
  const { folder, repository, postgres } = place
  return `[global]
repo1-path=${repository}
repo1-retention-full=2
log-path=${folder}
lock-path=${join(folder, 'lock')}
spool-path=${folder}
log-level-console=warn
log-level-file=off
start-fast=y

[weir]
pg1-path=${postgres.dataFolder}
pg1-port=${postgres.port}
pg1-socket-path=${join(postgres.dataFolder, '..')}
pg1-user=postgres
`
}

/** The current WAL segment is archived too, once it is closed. */
async function archiveAll(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ piece: string }>('SELECT pg_walfile_name(pg_switch_wal()) AS piece')
  const piece = rows[0]?.piece ?? ''
  await until(async () => {
    const { rows: states } = await pool.query<{ last_archived_wal: string | null }>(
      'SELECT last_archived_wal FROM pg_stat_archiver',
    )
    const last = states[0]?.last_archived_wal ?? ''
    return last >= piece ? null : `${piece} is not archived yet, the last is ${last}`
  })
}

async function whatIsRecovered(pool: Pool): Promise<string | null> {
  const isRecovering = await pool.query<{ is: boolean }>('SELECT pg_is_in_recovery() AS is').then(
    ({ rows }) => rows[0]?.is !== false,
    () => true,
  )
  return isRecovering ? 'the restored server still reads the archive' : null
}

async function bytesOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

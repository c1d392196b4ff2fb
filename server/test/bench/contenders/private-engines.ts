import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createPool } from '#store/postgres/create-pool.ts'
import { loadCore } from '../settings.ts'
import { findFreePort, startProcess } from '../start-process.ts'

const run = promisify(execFile)
const postgresVersions = '/usr/lib/postgresql'

export interface PrivateEngines {
  postgresUrl: string
  postgresPid: number
  redisUrl: string
  /** Creates another database and Redis database number, for a contender that must not share the first. */
  place(name: string): Promise<{ postgresUrl: string; redisUrl: string }>
  /** The bytes of write-ahead log so far. */
  walBytes(): Promise<number>
  stop(): Promise<void>
}

/** Starts a Postgres and a Redis for this run alone, durable as in production, on the core of the load. */
export async function startEngines(folder: string): Promise<PrivateEngines> {
  const postgres = await startPostgres(join(folder, 'postgres'))
  const redis = await startRedis(join(folder, 'redis'))
  // Postgres may stop before its last connection is closed.
  const pool = createPool({ connectionString: postgres.url, max: 1, onError: () => {} })
  let places = 0
  return {
    postgresUrl: postgres.url,
    postgresPid: postgres.pid,
    redisUrl: redis.url,
    place: async (name) => {
      await pool.query(`CREATE DATABASE ${name}`)
      places += 1
      return { postgresUrl: postgres.url.replace(/weir$/, name), redisUrl: `${redis.url}/${places}` }
    },
    walBytes: async () => {
      const { rows } = await pool.query<{ bytes: string }>(
        `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS bytes`,
      )
      return Number(rows[0]?.bytes)
    },
    stop: async () => {
      await pool.end()
      await Promise.all([postgres.stop(), redis.stop()])
    },
  }
}

async function startPostgres(folder: string) {
  const user = await findPostgresUser()
  const programs = findPostgresPrograms()
  mkdirSync(folder, { recursive: true })
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const asUser = { cwd: folder, ...user }
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C'],
    asUser,
  )
  const port = await findFreePort()
  const settings = { listen_addresses: '127.0.0.1', fsync: 'on', shared_buffers: '256MB', max_wal_size: '4GB' }
  const switches = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const started = await startProcess({
    command: [join(programs, 'postgres'), '-D', data, '-p', String(port), '-k', folder, ...switches],
    port,
    core: loadCore,
    // SIGINT is Postgres' fast shutdown; on SIGTERM it would wait for its clients.
    stopSignal: 'SIGINT',
    ...(user === undefined ? {} : { user }),
  })
  await waitForPostgres(join(programs, 'pg_isready'), port)
  await run(join(programs, 'createdb'), ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', 'weir'], asUser)
  return { url: `postgres://postgres@127.0.0.1:${port}/weir`, pid: started.pid, stop: started.stop }
}

/** Postgres listens shortly before it accepts connections. */
async function waitForPostgres(program: string, port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const isReady = await run(program, ['-h', '127.0.0.1', '-p', String(port)]).then(
      () => true,
      () => false,
    )
    if (isReady) return
    await sleep(100)
  }
  throw new Error('Postgres does not accept connections')
}

async function startRedis(folder: string) {
  mkdirSync(folder, { recursive: true })
  const port = await findFreePort()
  const settings = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'yes', appendfsync: 'everysec' }
  const started = await startProcess({
    command: ['redis-server', ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)])],
    port,
    core: loadCore,
  })
  return { url: `redis://127.0.0.1:${port}`, stop: started.stop }
}

function findPostgresPrograms(): string {
  if (!existsSync(postgresVersions)) throw new Error(`no Postgres below ${postgresVersions}`)
  const newest = readdirSync(postgresVersions)
    .map(Number)
    .sort((one, other) => other - one)[0]
  return join(postgresVersions, String(newest), 'bin')
}

/** Postgres refuses to run as root, so root runs it as the user that Debian created for it. */
async function findPostgresUser(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, 'postgres'])).stdout)),
  )
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

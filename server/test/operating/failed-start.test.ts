import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { patience } from '#test/setup/gateway.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const program = join(import.meta.dirname, '../../src/bin/weir.ts')

let folder: string
let database: TestDatabase
let empty: TestDatabase
let behind: TestDatabase
let closed: TestDatabase
let listeners: Server[]
let takenPort: number
let silentPort: number
let strangePort: number
const spawned: Spawned[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-start-'))
  await Promise.all([
    writeFile(join(folder, 'file'), ''),
    writeFile(join(folder, 'broken.yml'), 'http: [\n'),
    writeFile(join(folder, 'list.yml'), '- http\n'),
    writeFile(join(folder, 'unknown.yml'), 'http:\n  prot: 1\n'),
  ])
  ;[database, empty, behind, closed] = await Promise.all([
    createTestDatabase(),
    createEmptyDatabase(),
    createTestDatabase(),
    createEmptyDatabase(),
  ])
  await behind.pool.query('DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations)')
  await database.pool.query(`ALTER DATABASE ${new URL(closed.url).pathname.slice(1)} ALLOW_CONNECTIONS false`)
  listeners = [
    createServer(),
    // Accepts a connection and sends nothing.
    createServer((socket) => socket.on('error', () => {}).resume()),
    createServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  ]
  ;[takenPort = 0, silentPort = 0, strangePort = 0] = await Promise.all(listeners.map(portOf))
})
afterAll(async () => {
  for (const each of spawned) each.kill()
  for (const listener of listeners) listener.close()
  for (const each of [database, empty, behind, closed]) await each.drop()
  await rm(folder, { recursive: true, force: true })
})

async function portOf(listener: Server): Promise<number> {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('a listener has a port')
  return address.port
}

interface Fault {
  readonly command: 'gateway' | 'worker'
  readonly what: string
  readonly env: () => Record<string, string>
  readonly sentence: RegExp
}

const check = String.raw`Check postgres\.url \(WEIR_POSTGRES_URL\)\.$`
const postgres = (reason: string): RegExp => new RegExp(`^Postgres is unavailable: ${reason}\\. ${check}`)
const refused = (reason: string): RegExp => new RegExp(`^Invalid configuration:\\n {2}${reason}$`)

/** Gateway and worker read the settings in the same way, before anything else, so one of the two is enough as proof. */
const wrongSettings: readonly Fault[] = [
  {
    command: 'gateway',
    what: 'the secret is too short',
    env: () => ({ WEIR_SECRET: 'short' }),
    sentence: refused(String.raw`secret \(WEIR_SECRET\) must be a random string of at least 32 characters`),
  },
  {
    command: 'worker',
    what: 'there is no secret',
    env: () => ({ WEIR_SECRET: '' }),
    sentence: refused(String.raw`secret \(WEIR_SECRET\) .*`),
  },
  {
    command: 'worker',
    what: 'a secret that is being replaced is too short',
    env: () => ({ WEIR_PREVIOUS_SECRETS: 'short' }),
    sentence: refused(String.raw`previousSecrets \(WEIR_PREVIOUS_SECRETS\) must be .*`),
  },
  {
    command: 'gateway',
    what: 'a variable is mistyped',
    env: () => ({ WEIR_HTTP_PROT: '1' }),
    sentence: refused(String.raw`WEIR_HTTP_PROT is not a known setting; did you mean WEIR_HTTP_PORT\?`),
  },
  {
    command: 'worker',
    what: 'the configuration file is missing',
    env: () => ({ WEIR_CONFIG: join(folder, 'none.yml') }),
    sentence: /^The configuration file \S+none\.yml can't be read \(ENOENT\)\. Check WEIR_CONFIG\.$/,
  },
  {
    command: 'gateway',
    what: 'the configuration file is a folder',
    env: () => ({ WEIR_CONFIG: folder }),
    sentence: /^The configuration file \S+ can't be read \(EISDIR\)\. Check WEIR_CONFIG\.$/,
  },
  {
    command: 'worker',
    what: 'the configuration file is not YAML',
    env: () => ({ WEIR_CONFIG: join(folder, 'broken.yml') }),
    sentence: refused(String.raw`the configuration file is not valid YAML: .* at line \d+, column \d+`),
  },
  {
    command: 'gateway',
    what: 'the configuration file holds a list',
    env: () => ({ WEIR_CONFIG: join(folder, 'list.yml') }),
    sentence: refused('the configuration file must hold a mapping of keys'),
  },
  {
    command: 'worker',
    what: 'the configuration file has a setting that there is not',
    env: () => ({ WEIR_CONFIG: join(folder, 'unknown.yml') }),
    sentence: refused(String.raw`http\.prot in the file is not a known setting \(nor is WEIR_HTTP_PROT\)`),
  },
  {
    command: 'gateway',
    what: 'a number is out of its range',
    env: () => ({ WEIR_HTTP_PORT: '70000' }),
    sentence: refused(String.raw`http\.port \(WEIR_HTTP_PORT\) must be .*65535`),
  },
  {
    command: 'worker',
    what: 'a number is a word',
    env: () => ({ WEIR_MONEY_LEASE_MS: 'soon' }),
    sentence: refused(String.raw`money\.leaseMs \(WEIR_MONEY_LEASE_MS\) must be an integer .*`),
  },
  {
    command: 'gateway',
    what: 'the address of Postgres asks for a standby',
    env: () => ({ WEIR_POSTGRES_URL: 'postgres://a,b/weir?target_session_attrs=standby' }),
    sentence: refused(String.raw`postgres\.url \(WEIR_POSTGRES_URL\) must list the servers that accept writes, .*`),
  },
  {
    command: 'worker',
    what: 'the sentinels have no name for their set',
    env: () => ({ WEIR_REDIS_URL: 'redis+sentinel://one,two' }),
    sentence: refused(String.raw`redis\.url \(WEIR_REDIS_URL\) must list sentinels .*`),
  },
  {
    command: 'gateway',
    what: 'a network is none',
    env: () => ({ WEIR_EDGE_PROXIES: 'everywhere' }),
    sentence: refused(String.raw`edge\.proxies \(WEIR_EDGE_PROXIES\) has "everywhere", which is neither .*`),
  },
  {
    command: 'worker',
    what: 'a setting needs another one',
    env: () => ({ WEIR_BLOBS_KIND: 's3', WEIR_BLOBS_S3_REGION: 'eu' }),
    sentence: refused(String.raw`blobs\.s3Bucket \(WEIR_BLOBS_S3_BUCKET\) is required with s3: the bucket for images`),
  },
]

/** Gateway and worker each detect these faults in their own way, once they are loaded. */
const wrongSurroundings: readonly Fault[] = [
  {
    command: 'gateway',
    what: 'nothing listens where Postgres should be',
    env: () => ({ WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir' }),
    sentence: postgres(String.raw`connect ECONNREFUSED 127\.0\.0\.1:1`),
  },
  {
    command: 'worker',
    what: 'there is no such database',
    env: () => ({ WEIR_POSTGRES_URL: database.url.replace('weir_test_', 'weir_none_') }),
    sentence: postgres(String.raw`database "weir_none_\w+" does not exist`),
  },
  {
    command: 'gateway',
    what: 'the database takes no connections',
    env: () => ({ WEIR_POSTGRES_URL: closed.url }),
    sentence: postgres(String.raw`database "\w+" is not currently accepting connections`),
  },
  {
    command: 'worker',
    what: 'the machine of Postgres has no name',
    env: () => ({ WEIR_POSTGRES_URL: 'postgres://postgres@nowhere.invalid/weir' }),
    sentence: postgres(String.raw`getaddrinfo (?:ENOTFOUND|EAI_AGAIN) nowhere\.invalid`),
  },
  {
    command: 'gateway',
    what: 'Postgres takes a connection and says nothing',
    env: () => ({
      WEIR_POSTGRES_URL: `postgres://postgres@127.0.0.1:${silentPort}/weir`,
      WEIR_POSTGRES_BUDGET_MS: '200',
    }),
    sentence: postgres('.*timeout.*'),
  },
  {
    command: 'worker',
    what: 'another program listens where Postgres should be',
    env: () => ({ WEIR_POSTGRES_URL: `postgres://postgres@127.0.0.1:${strangePort}/weir` }),
    sentence: postgres('.*'),
  },
  {
    command: 'gateway',
    what: 'the database is empty',
    env: () => ({ WEIR_POSTGRES_URL: empty.url }),
    sentence: /^The database schema is out of date\. Run: weir migrate$/,
  },
  {
    command: 'worker',
    what: 'the database lacks the last migration',
    env: () => ({ WEIR_POSTGRES_URL: behind.url }),
    sentence: /^The database schema is out of date\. Run: weir migrate$/,
  },
  {
    command: 'gateway',
    what: 'the data folder is below a file',
    env: () => ({ WEIR_DATA_DIR: join(folder, 'file', 'data') }),
    sentence: /^The folder \S+file\/data is not writable \(ENOTDIR\)\. Check dataDir \(WEIR_DATA_DIR\)\.$/,
  },
  {
    command: 'worker',
    what: 'the data folder is a file',
    env: () => ({ WEIR_DATA_DIR: join(folder, 'file') }),
    sentence: /^The folder \S+file is not writable \(EEXIST\)\. Check dataDir \(WEIR_DATA_DIR\)\.$/,
  },
  {
    command: 'worker',
    what: 'the folder of images is below a file',
    env: () => ({ WEIR_BLOBS_FOLDER: join(folder, 'file', 'blobs') }),
    sentence: /^The folder \S+blobs is not writable \(ENOTDIR\)\. Check blobs\.folder \(WEIR_BLOBS_FOLDER\)\.$/,
  },
  {
    command: 'gateway',
    what: 'its port is taken',
    env: () => ({ WEIR_HTTP_PORT: String(takenPort) }),
    sentence: /^127\.0\.0\.1:\d+ is already in use by another process\. Check http\.port \(WEIR_HTTP_PORT\)\.$/,
  },
  {
    command: 'gateway',
    what: 'its operating port is taken',
    env: () => ({ WEIR_OPERATING_PORT: String(takenPort) }),
    sentence:
      /^127\.0\.0\.1:\d+ is already in use by another process\. Check operating\.port \(WEIR_OPERATING_PORT\)\.$/,
  },
  {
    command: 'worker',
    what: 'its port is taken',
    env: () => ({ WEIR_WORKER_PORT: String(takenPort) }),
    sentence: /^127\.0\.0\.1:\d+ is already in use by another process\. Check worker\.port \(WEIR_WORKER_PORT\)\.$/,
  },
  {
    command: 'gateway',
    what: 'its address is of another machine',
    env: () => ({ WEIR_HTTP_HOST: '192.0.2.1' }),
    sentence: /^192\.0\.2\.1:\d+ is not an address of this machine\. Check http\.host \(WEIR_HTTP_HOST\)\.$/,
  },
  {
    command: 'worker',
    what: 'the name of its address is not known',
    env: () => ({ WEIR_WORKER_HOST: 'nowhere.invalid' }),
    sentence: /^nowhere\.invalid:\d+ has an unknown host name\. Check worker\.host \(WEIR_WORKER_HOST\)\.$/,
  },
]

const faults = [...wrongSettings, ...wrongSurroundings]

it('[O1] breaks a start in at least 25 different ways', () => {
  expect(new Set(faults.map(({ command, what }) => `${command} ${what}`)).size).toBeGreaterThanOrEqual(25)
})

// Several tests run at once, because a starting process waits as much as it computes.
describe.concurrent('[O1] a process that cannot start says why and exits with 1', () => {
  it.each(faults)('a $command where $what', async ({ command, env, sentence }) => {
    const started = start([command], env())
    expect(await started.exited, started.lines.join('\n')).toBe(1)
    const said = started.errorLines.filter((line) => line !== '')
    expect(said.join('\n')).toMatch(sentence)
    // A sentence without a stack, neither here nor in the log before it.
    expect(started.lines.filter((line) => /^\s+at |"stack":/.test(line))).toEqual([])
  })
})

it('[O1] a command that fails says why and exits with 1', async () => {
  const failing = start(['wallet', 'show', 'nobody@example.com'], {
    WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir',
  })
  expect(await failing.exited, failing.lines.join('\n')).toBe(1)
  expect(failing.errorLines.join('\n')).toMatch(/^Postgres is unavailable: connect ECONNREFUSED/)
})

it('[O1] a command whose file is missing names the file', async () => {
  const failing = start(['catalogue', 'import', join(folder, 'none.json')], {})
  expect(await failing.exited, failing.lines.join('\n')).toBe(1)
  expect(failing.errorLines.join('\n')).toMatch(/^The file \S+none\.json can't be read \(ENOENT\)\.$/)
})

it('[O1] what a command prints is whole, though it exits at once', async () => {
  const help = start(['--help'], {})
  expect(await help.exited).toBe(0)
  expect(help.lines.filter((line) => /^ {2}(?:audit ledger|worker)\b/.test(line))).toHaveLength(2)
})

function start(words: readonly string[], env: Record<string, string>): Spawned {
  const started = spawnCommand([process.execPath, program, ...words], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_HTTP_PORT: '0',
      WEIR_OPERATING_PORT: '0',
      WEIR_WORKER_PORT: '0',
      ...patience,
      ...env,
    },
  })
  spawned.push(started)
  return started
}

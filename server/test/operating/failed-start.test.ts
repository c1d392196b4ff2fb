import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { createEmptyDatabase } from '#test/setup/database.ts'
import { patience } from '#test/setup/gateway.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const program = join(import.meta.dirname, '../../src/bin/weir.ts')

let folder: string
let database: TestDatabase
let empty: Awaited<ReturnType<typeof createEmptyDatabase>>
let taken: Server
let takenPort: number
const spawned: Spawned[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-start-'))
  await writeFile(join(folder, 'file'), '')
  database = await createTestDatabase()
  empty = await createEmptyDatabase()
  taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const address = taken.address()
  if (address === null || typeof address === 'string') throw new Error('a listener has a port')
  takenPort = address.port
})
afterAll(async () => {
  for (const each of spawned) each.kill()
  taken.close()
  await database.drop()
  await empty.drop()
  await rm(folder, { recursive: true, force: true })
})

interface Fault {
  readonly what: string
  readonly env: () => Record<string, string>
  readonly sentence: RegExp
}

const common: readonly Fault[] = [
  {
    what: 'nothing listens where Postgres should be',
    env: () => ({ WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir' }),
    sentence:
      /^Postgres cannot be used: connect ECONNREFUSED 127\.0\.0\.1:1\. Check postgres\.url \(WEIR_POSTGRES_URL\)\.$/,
  },
  {
    what: 'there is no such database',
    env: () => ({ WEIR_POSTGRES_URL: database.url.replace('weir_test_', 'weir_none_') }),
    sentence:
      /^Postgres cannot be used: database "weir_none_\w+" does not exist\. Check postgres\.url \(WEIR_POSTGRES_URL\)\.$/,
  },
  {
    what: 'the database is empty',
    env: () => ({ WEIR_POSTGRES_URL: empty.url }),
    sentence: /^The database is not up to date\. Run: weir migrate$/,
  },
  {
    what: 'the data folder is below a file',
    env: () => ({ WEIR_DATA_DIR: join(folder, 'file', 'data') }),
    sentence: /^The folder \S+file\/data\S* cannot be written \(ENOTDIR\)\. Check dataDir \(WEIR_DATA_DIR\)\.$/,
  },
  {
    what: 'the secret is too short',
    env: () => ({ WEIR_SECRET: 'short' }),
    sentence: /secret \(WEIR_SECRET\) must be a random text of at least 32 characters/,
  },
  {
    what: 'a variable is mistyped',
    env: () => ({ WEIR_HTTP_PROT: '1' }),
    sentence: /^The configuration is refused:\n {2}WEIR_HTTP_PROT is not a setting; did you mean WEIR_HTTP_PORT\?$/,
  },
  {
    what: 'the configuration file is missing',
    env: () => ({ WEIR_CONFIG: join(folder, 'none.yml') }),
    sentence: /^The configuration file \S+none\.yml cannot be read \(ENOENT\)\. Check WEIR_CONFIG\.$/,
  },
]

const starts = {
  gateway: {
    what: 'its port is taken',
    env: () => ({ WEIR_HTTP_PORT: String(takenPort) }),
    sentence: /^127\.0\.0\.1:\d+ is in use by another process\. Check http\.port \(WEIR_HTTP_PORT\)\.$/,
  },
  worker: {
    what: 'its port is taken',
    env: () => ({ WEIR_WORKER_PORT: String(takenPort) }),
    sentence: /^127\.0\.0\.1:\d+ is in use by another process\. Check worker\.port \(WEIR_WORKER_PORT\)\.$/,
  },
} as const satisfies Record<string, Fault>

for (const command of ['gateway', 'worker'] as const) {
  describe(`[O1] a ${command} that cannot start says why and exits with 1`, () => {
    it.each([...common, starts[command]])('where $what', async ({ env, sentence }) => {
      const started = start([command], env())
      expect(await started.exited, started.lines.join('\n')).toBe(1)
      const said = started.errorLines.filter((line) => line !== '')
      expect(said.join('\n')).toMatch(sentence)
      // A sentence and no stack, neither here nor in the log before it.
      expect(started.lines.filter((line) => /^\s+at |"stack":/.test(line))).toEqual([])
    })
  })
}

it('[O1] a command that fails says why and exits with 1', async () => {
  const failing = start(['wallet', 'show', 'nobody@example.com'], {
    WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir',
  })
  expect(await failing.exited, failing.lines.join('\n')).toBe(1)
  expect(failing.errorLines.join('\n')).toMatch(/^Postgres cannot be used: connect ECONNREFUSED/)
})

it('[O1] a command whose file is missing names the file', async () => {
  const failing = start(['catalogue', 'import', join(folder, 'none.json')], {})
  expect(await failing.exited, failing.lines.join('\n')).toBe(1)
  expect(failing.errorLines.join('\n')).toMatch(/^The file \S+none\.json cannot be read \(ENOENT\)\.$/)
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

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseConfig } from '#config/parse-config.ts'
import { parseJsonObject, stringAt } from '#lib/json.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import type { Place } from './listen-on.ts'
import { operatingPlace } from './operating-place.ts'
import { demoEmail, seedDemo, type DemoKeys } from './seed-demo.ts'
import { seedPassword } from './seed-password.ts'

/**
 * `npm run dev`: a gateway and a worker on the local Postgres and Redis, with a demo account, ready to be called. What it
 * makes up (a secret, the demo keys) is kept in `.weir/dev.json`, so that keys stay valid between starts.
 */
const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '../../..')
const memoryPath = join(root, '.weir', 'dev.json')
const databaseName = 'weir_dev'

interface Memory extends Partial<DemoKeys> {
  secret: string
  password?: string
}

// A start that fails ends by itself; this only ends one that hangs.
const readyWithinMs = 120_000

const startedAtMs = Date.now()
const memory = await readMemory()
const environment = {
  ...process.env,
  WEIR_SECRET: process.env.WEIR_SECRET ?? memory.secret,
  WEIR_POSTGRES_URL: process.env.WEIR_POSTGRES_URL ?? `postgres://postgres@127.0.0.1:5432/${databaseName}`,
  WEIR_DATA_DIR: process.env.WEIR_DATA_DIR ?? join(root, '.weir', 'dev'),
  WEIR_LOG_LEVEL: process.env.WEIR_LOG_LEVEL ?? 'warn',
  // A browser's pages are those of this address, whose scheme is not the usual one.
  WEIR_HTTP_PUBLIC_URL:
    process.env.WEIR_HTTP_PUBLIC_URL ??
    `http://${process.env.WEIR_HTTP_HOST ?? '127.0.0.1'}:${process.env.WEIR_HTTP_PORT ?? '8484'}`,
}
const config = parseConfig({ env: environment })

await createDatabase(config.postgres.url)
step('database ready')
const keys = await seedDemo(config, memory)
const password = await seedPassword(config, demoEmail, memory.password)
await remember({ secret: memory.secret, password, ...keys })
step('migrated and seeded')
const children = [start('gateway'), start('worker')]
const url = urlOf(config.http)
const operatedUrl = urlOf(operatingPlace(config))
await waitUntilReady(operatedUrl)
step('gateway and worker are up')
printWelcome(url, { ...keys, password })
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM')
  })
}

function urlOf({ host, port }: Place): string {
  return `http://${host}:${port}`
}

function step(text: string): void {
  process.stdout.write(`  ${((Date.now() - startedAtMs) / 1_000).toFixed(1).padStart(5)} s  ${text}\n`)
}

async function readMemory(): Promise<Memory> {
  const text = await readFile(memoryPath, 'utf8').catch(() => '{}')
  const known = parseJsonObject(text) ?? {}
  const standardKey = stringAt(known, 'standardKey')
  const managementKey = stringAt(known, 'managementKey')
  const organizationKey = stringAt(known, 'organizationKey')
  const knownPassword = stringAt(known, 'password')
  return {
    secret: stringAt(known, 'secret') ?? randomBytes(36).toString('base64'),
    ...(knownPassword === undefined ? {} : { password: knownPassword }),
    ...(standardKey === undefined ? {} : { standardKey }),
    ...(managementKey === undefined ? {} : { managementKey }),
    ...(organizationKey === undefined ? {} : { organizationKey }),
  }
}

async function remember(known: Memory): Promise<void> {
  await mkdir(dirname(memoryPath), { recursive: true })
  await writeFile(memoryPath, `${JSON.stringify(known, null, 2)}\n`, { mode: 0o600 })
}

async function createDatabase(databaseUrl: string): Promise<void> {
  const admin = new URL(databaseUrl)
  const name = admin.pathname.slice(1)
  admin.pathname = '/postgres'
  const pool = createPool({ connectionString: admin.href, max: 1, onError: () => {} })
  try {
    const { rowCount } = await pool.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (rowCount === 0) await pool.query(`CREATE DATABASE "${name.replaceAll('"', '')}"`)
  } catch (error) {
    process.stderr.write(
      `Postgres can not be used at ${admin.host}: ${error instanceof Error ? error.message : String(error)}\n`,
    )
    process.stderr.write('Start it, or name another one in WEIR_POSTGRES_URL.\n')
    process.exit(1)
  } finally {
    await pool.end()
  }
}

function start(command: string): ChildProcess {
  const child = spawn(process.execPath, [join(here, 'weir.ts'), command], { env: environment, stdio: 'inherit' })
  child.once('exit', (code) => {
    for (const other of children) if (other !== child) other.kill('SIGTERM')
    process.exitCode = code ?? 1
  })
  return child
}

async function waitUntilReady(base: string): Promise<void> {
  const until = Date.now() + readyWithinMs
  while (Date.now() < until && process.exitCode === undefined) {
    const ready = await fetch(`${base}/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (ready) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  for (const child of children) child.kill('SIGTERM')
  process.stderr.write('The gateway did not become ready; see above.\n')
  process.exit(1)
}

function printWelcome(base: string, demo: DemoKeys & { password: string }): void {
  process.stdout.write(`
Weir is listening on ${base}. Demo account: ${demoEmail} with $25.

  standard key    ${demo.standardKey}
  management key  ${demo.managementKey}

It administers an organization with $50, the team Research, and a member with a key that the organization pays for:

  organization key  ${demo.organizationKey}

Stream from a test model, which costs nothing:

  curl -N -D /tmp/weir-headers ${base}/v1/chat/completions \\
    -H 'Authorization: Bearer ${demo.standardKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"test/text","stream":true,"messages":[{"role":"user","content":"Hello"}]}'

Then look at its receipt:

  curl -s "${base}/v1/generation?id=$(sed -n 's/^x-generation-id: *//Ip' /tmp/weir-headers | tr -d '\\r')" \\
    -H 'Authorization: Bearer ${demo.standardKey}'

Call a model as that member; \`/v1/orgs\` shows the organization, and with the management key all that is in it:

  curl -s ${base}/v1/chat/completions \\
    -H 'Authorization: Bearer ${demo.organizationKey}' -H 'Content-Type: application/json' \\
    -d '{"model":"test/echo","messages":[{"role":"user","content":"Hello from the demo organization"}]}'

Sign in as the person, and look at what only a person or a management key may see:

  curl -s -c /tmp/weir-cookies ${base}/api/auth/sign-in/email -H 'Content-Type: application/json' \\
    -d '{"email":"${demoEmail}","password":"${demo.password}"}'
  curl -s -b /tmp/weir-cookies ${base}/api/user/circuit-breaker

How the gateway is doing: ${operatedUrl}/ready and ${operatedUrl}/metrics

Ctrl-C stops everything.
`)
}

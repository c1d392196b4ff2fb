import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseConfig } from '#config/parse-config.ts'
import { explainFailure } from './command-line/explain-failure.ts'
import { buildConsole } from './dev/build-console.ts'
import { createDatabase } from './dev/create-database.ts'
import { type Memory, readMemory, writeMemory } from './dev/memory.ts'
import { startPaymentProvider } from './dev/payment-provider.ts'
import { createProcesses } from './dev/processes.ts'
import { createReloader } from './dev/reloader.ts'
import { demoEmail, seedDemo } from './dev/seed-demo.ts'
import { seedPassword } from './dev/seed-password.ts'
import { watchSources } from './dev/watch-sources.ts'
import { welcomeText } from './dev/welcome.ts'
import type { Place } from './listen-on.ts'
import { operatingPlace } from './operating-place.ts'

const root = join(import.meta.dirname, '../../..')
const memoryPath = join(root, '.weir', 'dev.json')
const sourceFolders = ['server/src', 'server/sql'].map((folder) => join(root, folder))
// An editor that saves many files writes them within a few milliseconds of one another.
const gatherMs = 100

const startedAtMs = Date.now()
await runDev().catch((error: unknown) => {
  process.stderr.write(`${explainFailure(error)}\n`)
  process.exit(1)
})

/**
 * `npm run dev`: a gateway and a worker on the local Postgres and Redis, with a demo account and a payment provider that moves no money, ready
 * to be called. An edit of a source file starts both again. Secret, keys and password are kept in `.weir/dev.json`, and the rest in the database.
 */
async function runDev(): Promise<void> {
  const memory = await readMemory(memoryPath)
  const environment = await withPayments(environmentOf(memory))
  const config = parseConfig({ env: environment })
  const building = buildConsole(root, { isWanted: config.console.enabled && config.console.folder === null })
  await createDatabase(config.postgres.url)
  step('database ready')
  const keys = await seedDemo(config, memory)
  const password = await seedPassword(config, demoEmail, memory.password)
  await writeMemory(memoryPath, { secret: memory.secret, password, ...keys })
  step('migrated and seeded')
  if ((await building) === 'built') step('console built')
  const processes = createProcesses({ environment, onEnded: waitForEdit })
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void processes.stop().then(() => process.exit(0)))
  }
  // It has said why.
  if ((await processes.start()) !== null) process.exit(1)
  step('gateway and worker are up')

  const reloader = createReloader({
    gather: () => wait(gatherMs),
    reload: async (paths) => {
      const sinceMs = Date.now()
      await processes.stop()
      const isMigrated = !paths.some((path) => path.endsWith('.sql')) || (await processes.run('migrate'))
      const failed = isMigrated ? await processes.start() : 'migration'
      if (failed === null) print(`Reloaded in ${seconds(Date.now() - sinceMs)}: ${nameEdits(paths)}`)
      else waitForEdit(failed)
    },
  })
  watchSources(sourceFolders, reloader.edited)
  const [url, operatingUrl] = [urlOf(config.http), urlOf(operatingPlace(config))]
  const built = { console: isBuilt('console'), docs: isBuilt('docs') }
  const sellsTestCredit = process.env['WEIR_PAYMENTS_STRIPE_SECRET_KEY'] === undefined
  print(welcomeText({ url, operatingUrl, keys, password, built, sellsTestCredit }))
}

function environmentOf(memory: Memory): NodeJS.ProcessEnv {
  const { WEIR_HTTP_HOST: host = '127.0.0.1', WEIR_HTTP_PORT: port = '8484' } = process.env
  return {
    WEIR_SECRET: memory.secret,
    WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:5432/weir_dev',
    WEIR_DATA_DIR: join(root, '.weir', 'dev'),
    WEIR_LOG_LEVEL: 'warn',
    // The pages of a browser come from this address, and its scheme is not the default one.
    WEIR_HTTP_PUBLIC_URL: `http://${host}:${port}`,
    // No balancer needs notice here, and a request that still runs must not hold up a reload.
    WEIR_DRAIN_NOTICE_MS: '0',
    WEIR_DRAIN_TIMEOUT_MS: '1000',
    ...process.env,
  }
}

/** A demo sells credit through a provider that moves no money, unless the developer has set one up. */
async function withPayments(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { WEIR_PAYMENTS_STRIPE_SECRET_KEY: own, WEIR_HTTP_PUBLIC_URL: gatewayUrl = '' } = environment
  if (own !== undefined) return environment
  const folder = environment['WEIR_DATA_DIR'] ?? ''
  return { ...environment, ...(await startPaymentProvider({ gatewayUrl, folder })) }
}

function waitForEdit(name: string): void {
  print(`The ${name} failed; the error is above. Waiting for the next edit.`)
}

function nameEdits([first = '', ...others]: readonly string[]): string {
  const path = relative(root, first)
  return others.length === 0 ? path : `${path} and ${others.length} more`
}

function isBuilt(folder: string): boolean {
  return existsSync(join(root, folder, 'dist', 'index.html'))
}

function urlOf({ host, port }: Place): string {
  return `http://${host}:${port}`
}

function step(text: string): void {
  print(`  ${seconds(Date.now() - startedAtMs).padStart(7)}  ${text}`)
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

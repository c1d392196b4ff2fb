import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '#config/config-schema.ts'
import { parseConfig } from '#config/parse-config.ts'
import { buildSite, consoleSite, docsSite } from './dev/build-site.ts'
import { createDatabase } from './dev/create-database.ts'
import { startInbox } from './dev/inbox.ts'
import { type Memory, readMemory, writeMemory } from './dev/memory.ts'
import { startPaymentProvider } from './dev/payment-provider.ts'
import { createProcesses, type Processes } from './dev/processes.ts'
import { createReloader } from './dev/reloader.ts'
import { demoEmail, type DemoKeys, seedDemo } from './dev/seed-demo.ts'
import { seedPassword } from './dev/seed-password.ts'
import { watchSources } from './dev/watch-sources.ts'
import { welcomeText } from './dev/welcome.ts'
import type { Place } from './listen-on.ts'
import { operatingPlace } from './operating-place.ts'
import { programFiles } from './program-files.ts'

const { cloneFolder } = programFiles
const stateFolder = join(cloneFolder ?? process.cwd(), '.weir')
const memoryPath = join(stateFolder, 'dev.json')
// An editor that saves many files writes them within a few milliseconds.
const gatherMs = 100

const loopbackHosts = new Set(['127.0.0.1', 'localhost'])

const startedAtMs = Date.now()

/**
 * `weir dev`: runs a gateway and a worker on the local Postgres and Redis, with a demo account. In a clone it also runs
 * a payment provider that moves no money and a mail server that shows its emails on a page, and restarts both processes
 * after an edit of a source file. Secret, keys and
 * password are stored in `.weir/dev.json` of the clone or the current folder, everything else in the database.
 */
export async function runDev(): Promise<void> {
  const memory = await readMemory(memoryPath)
  const { environment, inboxUrl } = await withInbox(await withPayments(environmentOf(memory)))
  const config = parseConfig({ env: environment })
  const isWanted = config.console.enabled && config.console.folder === null
  const building = cloneFolder === null ? 'nothing to do' : buildSite(cloneFolder, consoleSite, { isWanted })
  await createDatabase(config.postgres.url)
  step('database ready')
  const keys = await seedDemo(config, memory)
  const password = await seedPassword(config, demoEmail, memory.password)
  await writeMemory(memoryPath, { secret: memory.secret, password, ...keys })
  step('migrated and seeded')
  if ((await building) === 'built') step('console built')
  const processes = createProcesses({ environment, onEnded: cloneFolder === null ? end : waitForEdit })
  const stopped = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
    .then(processes.stop)
    .then(() => process.exit(0))
  // The process has already printed its error.
  if ((await processes.start()) !== null) process.exit(1)
  step('gateway and worker are up')
  if (cloneFolder !== null) watchClone(processes, cloneFolder, config)
  print(welcomeOf(config, { keys, password, inboxUrl }))
  await stopped
}

/**
 * Restarts the processes after edits. The documentation is built while they already serve, because it takes longer than
 * everything else; they find it at the next start.
 */
function watchClone(processes: Processes, folder: string, { docs }: Config): void {
  const edited = restartAfterEdits(processes, folder)
  const isWanted = docs.enabled && docs.folder === null
  void buildSite(folder, docsSite, { isWanted }).then((result) => {
    if (result === 'built') edited(join(folder, docsSite.folder))
  })
}

function restartAfterEdits(processes: Processes, folder: string): (path: string) => void {
  const reloader = createReloader({
    gather: () => wait(gatherMs),
    reload: async (paths) => {
      const sinceMs = Date.now()
      await processes.stop()
      const isMigrated = !paths.some((path) => path.endsWith('.sql')) || (await processes.run('migrate'))
      const failed = isMigrated ? await processes.start() : 'migration'
      if (failed === null) print(`Reloaded in ${seconds(Date.now() - sinceMs)}: ${nameEdits(folder, paths)}`)
      else waitForEdit(failed)
    },
  })
  watchSources([join(folder, 'server/src'), join(folder, 'server/sql')], reloader.edited)
  return reloader.edited
}

function welcomeOf(config: Config, known: { keys: DemoKeys; password: string; inboxUrl: string | null }): string {
  const [url, operatingUrl] = [urlOf(config.http), urlOf(operatingPlace(config))]
  const { consoleFolder, docsFolder, paymentSimulator } = programFiles
  const sites = {
    hasConsole: isBuilt(consoleFolder),
    docs: !config.docs.enabled ? 'off' : isBuilt(docsFolder) ? 'served' : 'building',
  } as const
  const ownProvider = process.env['WEIR_PAYMENTS_STRIPE_SECRET_KEY'] !== undefined
  const credit = ownProvider ? 'sold' : paymentSimulator === null ? 'not sold' : 'test credit sold'
  return welcomeText({ ...known, ...sites, url, operatingUrl, credit, restartsAfterEdits: cloneFolder !== null })
}

function environmentOf(memory: Memory): NodeJS.ProcessEnv {
  const { WEIR_HTTP_HOST: host = '127.0.0.1', WEIR_HTTP_PORT: port = '8484', WEIR_HTTP_PUBLIC_URL: own } = process.env
  return {
    WEIR_SECRET: memory.secret,
    WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:5432/weir_dev',
    WEIR_DATA_DIR: join(stateFolder, 'dev'),
    WEIR_LOG_LEVEL: 'warn',
    WEIR_LOG_FORMAT: 'text',
    // Browser pages use this address, and its scheme is not the default one.
    WEIR_HTTP_PUBLIC_URL: `http://${host}:${port}`,
    // There is no load balancer to notify, and a running request must not delay a reload.
    WEIR_DRAIN_NOTICE_MS: '0',
    // A developer waits for each reload.
    WEIR_WARM_UP_TIMEOUT_MS: '0',
    WEIR_DRAIN_TIMEOUT_MS: '1000',
    WEIR_LIMITS_ORGANIZATIONS_PER_USER: '3',
    // The demo user is an operator, whose password is printed. Other machines can't reach the gateway.
    ...(loopbackHosts.has(host) && own === undefined ? { WEIR_AUTH_OPERATOR_SECOND_FACTOR: 'false' } : {}),
    ...process.env,
  }
}

/** The demo sells credit through a provider that moves no money, unless the developer configured another one. */
async function withPayments(environment: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const { WEIR_PAYMENTS_STRIPE_SECRET_KEY: own, WEIR_HTTP_PUBLIC_URL: gatewayUrl = '' } = environment
  const { paymentSimulator: program } = programFiles
  if (own !== undefined || program === null) return environment
  const folder = environment['WEIR_DATA_DIR'] ?? ''
  return { ...environment, ...(await startPaymentProvider({ program, gatewayUrl, folder })) }
}

/** The demo's emails are shown on a page, unless the developer configured a mail server. */
async function withInbox(
  environment: NodeJS.ProcessEnv,
): Promise<{ environment: NodeJS.ProcessEnv; inboxUrl: string | null }> {
  const { inbox: program } = programFiles
  if (environment['WEIR_MAIL_URL'] !== undefined || program === null) return { environment, inboxUrl: null }
  const { pageUrl, settings } = await startInbox(program)
  return { environment: { ...environment, ...settings }, inboxUrl: pageUrl }
}

/** Exits, which ends the other process too. */
function end(name: string): void {
  print(`The ${name} failed; the error is above.`)
  process.kill(process.pid, 'SIGTERM')
}

function waitForEdit(name: string): void {
  print(`The ${name} failed; the error is above. Waiting for the next edit.`)
}

function nameEdits(folder: string, [first = '', ...others]: readonly string[]): string {
  const path = relative(folder, first)
  return others.length === 0 ? path : `${path} and ${others.length} more`
}

function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'))
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

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkOutTree } from './check-out-tree.ts'
import { prepareBare } from './contenders/bare.ts'
import { type BenchContext, ContenderUnavailable, type PrepareContender } from './contenders/contender.ts'
import { prepareDirect } from './contenders/direct.ts'
import { prepareDurable } from './contenders/durable.ts'
import { prepareNginx } from './contenders/nginx.ts'
import { preparePortkey } from './contenders/portkey.ts'
import { type PrivateEngines, startEngines } from './contenders/private-engines.ts'
import { prepareEarlierWeir, prepareWeir, prepareWeirAnthropic, prepareWeirMessages } from './contenders/weir.ts'
import type { Entry } from './entry.ts'
import type { Phase } from './look.ts'
import { measureMemory } from './measure-memory.ts'
import { measureWindows, type WindowDeps } from './measure-windows.ts'
import { type MockUpstream, startMock } from './mock-process.ts'
import type { BenchSettings } from './settings.ts'

/** In the order in which a round visits them. */
export const preparations: Record<string, PrepareContender> = {
  direct: prepareDirect,
  bare: prepareBare,
  durable: prepareDurable,
  nginx: prepareNginx,
  portkey: preparePortkey,
  weir: prepareWeir,
  'weir-earlier': prepareEarlierWeir,
  'weir-messages': prepareWeirMessages,
  'weir-anthropic': prepareWeirAnthropic,
}

export interface GatewaysOptions {
  readonly settings: BenchSettings
  readonly scratchFolder: string
  /** Of the contenders, in the order in which they are looked at first. */
  readonly names: readonly string[]
  readonly phases: readonly Phase[]
  /** Whether memory of open streams is measured before. */
  readonly hasMemory: boolean
  /** Of the tree that `weir-earlier` is. */
  readonly earlierCommit: string | undefined
  readonly plantedUs?: number
  readonly log: (line: string) => void
}

/** Starts the contenders beside each other, looks at them in windows and stops them. */
export async function measureGateways(options: GatewaysOptions): Promise<Entry[]> {
  const { settings, scratchFolder, log } = options
  await using cleanup = new AsyncDisposableStack()
  const mock = await startMock()
  cleanup.defer(() => mock.stop())
  const folders = locateFolders()
  const { earlierCommit } = options
  const earlierRoot = earlierCommit === undefined ? null : checkOutTree(earlierCommit, folders)
  const engines = startOnce(() => startEngines(join(scratchFolder, 'engines')))
  cleanup.defer(async () => (await engines.begun())?.stop())
  const context = {
    ...folders,
    mockPort: mock.port,
    scratchFolder,
    engines: engines.start,
    earlierRoot,
    plantedUs: options.plantedUs ?? 0,
    log,
  }
  const fail = (entry: Entry, error: unknown): void => {
    entry.out = describeFailure(entry.name, error, log)
  }
  const entries = await prepareEntries(options.names, context, cleanup)
  if (options.hasMemory) for (const entry of entries) await measureEntryMemory(entry, mock, { settings, log, fail })
  await measureWindows(entries, { settings, phases: options.phases, log, fail })
  return entries
}

function startOnce(start: () => Promise<PrivateEngines>) {
  let started: Promise<PrivateEngines> | null = null
  return {
    start: () => {
      started ??= start()
      return started
    },
    /** Null where nobody has asked for them. */
    begun: async () => started,
  }
}

async function prepareEntries(
  names: readonly string[],
  context: BenchContext,
  cleanup: AsyncDisposableStack,
): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const name of names) {
    const prepare = preparations[name]
    if (prepare === undefined) throw new Error(`no contender is called ${name}`)
    try {
      const contender = await prepare(context)
      cleanup.defer(() => contender.dispose?.())
      entries.push({ ...nothingKnown(), name, contender })
    } catch (error) {
      entries.push({ ...nothingKnown(), name, contender: null, out: describeFailure(name, error, context.log) })
    }
  }
  return entries
}

function nothingKnown(): Omit<Entry, 'name' | 'contender'> {
  return { running: null, memory: null, windows: [], out: null }
}

async function measureEntryMemory(
  entry: Entry,
  mock: MockUpstream,
  { settings, log, fail }: Omit<WindowDeps, 'phases'>,
): Promise<void> {
  const { name, contender, out } = entry
  if (contender === null || out !== null || contender.isForStreamsAlone === true) return
  log(`memory of open streams: ${name}`)
  try {
    entry.memory = await measureMemory(contender, mock, settings)
  } catch (error) {
    fail(entry, error)
  }
}

function describeFailure(
  name: string,
  error: unknown,
  log: (line: string) => void,
): { unavailable: string } | { failed: string } {
  const message = error instanceof Error ? error.message : String(error)
  log(`${name}: ${message}`)
  return error instanceof ContenderUnavailable ? { unavailable: message } : { failed: message }
}

function locateFolders(): { repositoryRoot: string; cacheFolder: string } {
  const repositoryRoot = fileURLToPath(new URL('../../../', import.meta.url))
  const cacheFolder = join(repositoryRoot, '.weir', 'bench')
  mkdirSync(cacheFolder, { recursive: true })
  return { repositoryRoot, cacheFolder }
}

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
import {
  prepareColdWeir,
  prepareEarlierWeir,
  prepareWeir,
  prepareWeirAnthropic,
  prepareWeirMessages,
  prepareWeirProcesses,
} from './contenders/weir.ts'
import type { Entry } from './entry.ts'
import { type MockUpstream, startMock } from './mock-process.ts'

/** In the order of a round. */
export const preparations: Record<string, PrepareContender> = {
  direct: prepareDirect,
  bare: prepareBare,
  durable: prepareDurable,
  nginx: prepareNginx,
  portkey: preparePortkey,
  weir: prepareWeir,
  'weir-cold': prepareColdWeir,
  'weir-earlier': prepareEarlierWeir,
  'weir-messages': prepareWeirMessages,
  'weir-anthropic': prepareWeirAnthropic,
  'weir-processes-1': prepareWeirProcesses(1),
  'weir-processes-2': prepareWeirProcesses(2),
  'weir-processes-4': prepareWeirProcesses(4),
}

/** Contenders that are only measured when named. */
export const namedAlone = ['weir-cold', 'weir-earlier', 'weir-processes-1', 'weir-processes-2', 'weir-processes-4']

export interface ContendersOptions {
  readonly scratchFolder: string
  /** The contenders, in the order of the first round. */
  readonly names: readonly string[]
  /** The commit of `weir-earlier`. */
  readonly earlierCommit?: string | undefined
  readonly plantedUs?: number
  /** The file for the gateways' CPU profile, written on request. */
  readonly profileFile?: string
  /** The file for the timeline of the gateways' requests, written on request. */
  readonly timelineFile?: string
  readonly log: (line: string) => void
}

/** Prepares the contenders and their databases for one piece of work. */
export async function withContenders<Found>(
  { scratchFolder, names, earlierCommit, plantedUs = 0, profileFile, timelineFile, log }: ContendersOptions,
  work: (entries: readonly Entry[], mock: MockUpstream) => Promise<Found>,
): Promise<Found> {
  await using cleanup = new AsyncDisposableStack()
  const mock = await startMock()
  cleanup.defer(() => mock.stop())
  const folders = locateFolders()
  const earlierRoot = earlierCommit === undefined ? null : checkOutTree(earlierCommit, folders)
  const engines = startOnce(() => startEngines(join(scratchFolder, 'engines')))
  cleanup.defer(async () => (await engines.begun())?.stop())
  const context = {
    ...folders,
    mockPort: mock.port,
    scratchFolder,
    engines: engines.start,
    earlierRoot,
    plantedUs,
    profileFile: profileFile ?? null,
    timelineFile: timelineFile ?? null,
    log,
  }
  return await work(await prepareEntries(names, context, cleanup), mock)
}

function startOnce(start: () => Promise<PrivateEngines>) {
  let started: Promise<PrivateEngines> | null = null
  return {
    start: () => {
      started ??= start()
      return started
    },
    /** Null if they were not started. */
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

/** Why a contender was dropped. */
export function describeFailure(
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

import type { Entry } from './entry.ts'
import type { Phase } from './look.ts'
import { measureMemory } from './measure-memory.ts'
import { measureWindows, type WindowDeps } from './measure-windows.ts'
import type { MockUpstream } from './mock-process.ts'
import type { BenchSettings } from './settings.ts'
import { type ContendersOptions, describeFailure, withContenders } from './with-contenders.ts'

interface GatewaysOptions extends ContendersOptions {
  readonly settings: BenchSettings
  readonly phases: readonly Phase[]
  /** Whether the memory of open streams is measured before. */
  readonly hasMemory: boolean
}

/** Starts the contenders side by side, measures them in windows and stops them. */
export async function measureGateways(options: GatewaysOptions): Promise<readonly Entry[]> {
  const { settings, phases, hasMemory, log } = options
  const fail = (entry: Entry, error: unknown): void => {
    entry.out = describeFailure(entry.name, error, log)
  }
  return withContenders(options, async (entries, mock) => {
    if (hasMemory) for (const entry of entries) await measureEntryMemory(entry, mock, { settings, log, fail })
    await measureWindows(entries, { settings, phases, log, fail })
    return entries
  })
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

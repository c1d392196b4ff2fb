import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningContender } from './contenders/contender.ts'
import type { Entry } from './entry.ts'
import { runClosedLoop } from './load.ts'
import { lookAt, type Phase, type Targets } from './look.ts'
import { probeBurst, probeContender, probeLong } from './probe-contender.ts'
import { type BenchSettings, concurrency } from './settings.ts'

export interface WindowDeps {
  readonly settings: BenchSettings
  readonly phases: readonly Phase[]
  readonly log: (line: string) => void
  readonly fail: (entry: Entry, error: unknown) => void
}

/**
 * Measures all contenders in turn, for a second or two each, repeatedly. A longer disturbance affects them all, and
 * comparisons stay within one window. The first contender rotates with each window.
 */
export async function measureWindows(entries: readonly Entry[], deps: WindowDeps): Promise<void> {
  const { settings, phases, log, fail } = deps
  for (const entry of entries) await attempt(entry, fail, () => begin(entry, settings))
  try {
    for (let window = 0; window < settings.windows; window += 1) {
      log(`window ${window + 1} of ${settings.windows}`)
      for (const entry of entries) entry.windows.push({})
      for (const phase of phases) {
        for (const entry of inTurn(entries, window)) {
          await attempt(entry, fail, () => lookInto(entry, phase, settings))
        }
      }
    }
  } finally {
    for (const entry of entries) {
      await entry.running?.process.stop()
      entry.running = null
    }
  }
}

async function begin(entry: Entry, settings: BenchSettings): Promise<void> {
  const { contender } = entry
  if (contender === null) return
  const process = await contender.start()
  entry.running = { process, targets: {} }
  const targets = await probeTargets(process, contender.isForStreamsAlone === true)
  entry.running = { process, targets }
  for (const phase of ['stream', 'json'] as const) {
    const target = targets[phase]
    if (target !== undefined) await runClosedLoop(target, { concurrency, durationMs: settings.warmUpMs })
  }
  await sleep(500)
}

async function probeTargets(process: RunningContender, isForStreamsAlone: boolean): Promise<Targets> {
  if (isForStreamsAlone) return { stream: await probeBurst(process) }
  const { json, burst } = await probeContender(process)
  const paced = { paced_50: json, paced_100: json, paced_500: json }
  return { json, one_client: json, ...paced, stream: burst, long_stream: await probeLong(process) }
}

async function lookInto(entry: Entry, phase: Phase, settings: BenchSettings): Promise<void> {
  const target = entry.running?.targets[phase]
  const window = entry.windows.at(-1)
  if (entry.running === null || target === undefined || window === undefined) return
  window[phase] = await lookAt(entry.running.process, { phase, target, settings })
}

async function attempt(entry: Entry, fail: WindowDeps['fail'], act: () => Promise<void>): Promise<void> {
  if (entry.out !== null) return
  try {
    await act()
  } catch (error) {
    fail(entry, error)
  }
}

function inTurn<Item>(items: readonly Item[], first: number): Item[] {
  const at = items.length === 0 ? 0 : first % items.length
  return [...items.slice(at), ...items.slice(0, at)]
}

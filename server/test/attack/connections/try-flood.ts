import { median } from '#test/drills/setup/median.ts'
import type { Attack } from '../area.ts'
import { cpuMsOf } from '../setup/cpu-of.ts'
import type { FloodKind } from './flood.ts'
import type { Flooder } from './start-flooder.ts'
import { passThrough } from './tenant.ts'

interface FloodTrial {
  readonly label: string
  readonly kinds: readonly FloodKind[]
  readonly connections: number
  readonly rounds: number
  /** The minimum number of the other tenant's requests per turn. */
  readonly callsMin: number
  /**
   * The minimum duration of each turn: on a fast machine that many requests would end before the flood had run for a
   * while.
   */
  readonly forMsMin: number
  /** The minimum share of the throughput on the gateway's own core, or null if only failures count. */
  readonly shareMin: number | null
}

export interface FloodField {
  readonly flooder: Flooder
  readonly decoyUrl: string
  readonly gatewayUrl: string
  readonly gatewayPid: number
  readonly tenant: { readonly key: string; readonly model: string }
  readonly attackerKey: string
}

// By wall-clock time, in which the attacker and other programs use the machine too: a gateway that stalls reaches less
// than this share.
const clockShareMin = 0.3

/**
 * Another tenant calls a gateway while the flood goes to a decoy, and then while the same flood goes to the gateway,
 * turn by turn. Two remaining shares of the throughput are measured, both ratios within one run:
 *
 * - by the clock: calls per second. On a machine with few cores, the attacker's process, other processes and the
 *   gateway compete for them.
 * - on a core of its own: the gateway's CPU time beyond that of the calls themselves is the cost of the flood. One
 *   second of a core minus that cost per second is left for calls. Other processes do not affect this share.
 */
export async function tryFlood({ report }: Attack, field: FloodField, trial: FloodTrial): Promise<void> {
  const { label, kinds, connections, rounds, shareMin } = trial
  if (!report.attempt(label)) return
  const { flooder, gatewayUrl, decoyUrl, attackerKey } = field
  const [beside, under]: [Window[], Window[]] = [[], []]
  let sent = ''
  await passThrough({ ...field.tenant, url: gatewayUrl }, trial)
  for (let round = 0; round < rounds; round += 1) {
    for (const [url, windows] of [[decoyUrl, beside] as const, [gatewayUrl, under] as const]) {
      await flooder.start({ kinds, url, key: attackerKey, connections })
      windows.push(await measure(field, trial))
      sent = await flooder.stop()
    }
  }
  const failures = [...beside, ...under].flatMap((window) => window.failures)
  const calls = [...beside, ...under].reduce((sum, window) => sum + window.calls, 0)
  report.judge({
    label,
    isRight: failures.length === 0,
    expected: "no failure among the other tenant's calls",
    got: `${failures.length} of ${calls}: ${failures[0]}`,
  })
  const left = compare(beside, under)
  report.figure(`${label}: ${left.text} (${sent} so far)`)
  if (shareMin === null) return
  report.judge({
    label,
    isRight: left.coreShare >= shareMin && left.clockShare >= clockShareMin,
    expected: `at least ${100 * shareMin} % of a core, and ${100 * clockShareMin} % by the clock`,
    got: left.text,
  })
}

interface Window {
  readonly calls: number
  readonly perSecond: number
  /** CPU time of the gateway process per request, whatever else it did meanwhile. */
  readonly cpuMsPerCall: number
  readonly failures: readonly string[]
}

async function measure({ gatewayUrl, gatewayPid, tenant }: FloodField, trial: FloodTrial): Promise<Window> {
  const before = await cpuMsOf(gatewayPid)
  const passage = await passThrough({ ...tenant, url: gatewayUrl }, trial)
  return { ...passage, cpuMsPerCall: ((await cpuMsOf(gatewayPid)) - before) / passage.calls }
}

function compare(
  beside: readonly Window[],
  under: readonly Window[],
): { clockShare: number; coreShare: number; text: string } {
  const [speedBeside, speedUnder] = [beside, under].map((windows) => median(windows.map(({ perSecond }) => perSecond)))
  const callMs = median(beside.map(({ cpuMsPerCall }) => cpuMsPerCall))
  const floodMsPerSecond = median(under.map(({ cpuMsPerCall, perSecond }) => (cpuMsPerCall - callMs) * perSecond))
  const clockShare = (speedUnder ?? 0) / (speedBeside ?? 0)
  const coreShare = 1 - Math.max(0, floodMsPerSecond) / 1_000
  const text = [
    `by the clock ${speedUnder?.toFixed(0)} of ${speedBeside?.toFixed(0)} calls a second are left, ${percent(clockShare)}`,
    `the flood takes ${floodMsPerSecond.toFixed(0)} ms of the gateway's CPU a second, a call ${callMs.toFixed(1)} ms`,
    `on a core of its own ${percent(coreShare)} are left`,
  ]
  return { clockShare, coreShare, text: text.join('; ') }
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`
}

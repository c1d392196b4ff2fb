import { median } from '#test/drills/setup/median.ts'
import type { Attack } from '../area.ts'
import type { FloodKind } from './flood.ts'
import type { Flooder } from './start-flooder.ts'
import { passThrough } from './tenant.ts'

export interface FloodTrial {
  readonly label: string
  readonly kinds: readonly FloodKind[]
  readonly connections: number
  readonly rounds: number
  readonly calls: number
  /** At least so much of the throughput must be left; null: only failures count. */
  readonly shareMin: number | null
}

export interface FloodField {
  readonly flooder: Flooder
  readonly decoyUrl: string
  readonly gatewayUrl: string
  readonly tenant: { readonly key: string; readonly model: string }
  /** The attacker's own account. */
  readonly attackerKey: string
}

/**
 * Another tenant calls a gateway while the flood goes to a decoy, then while the same flood goes to the gateway, turn by turn. What
 * share of the throughput is left is a ratio within one run, so that neither the machine nor its neighbours matter.
 */
export async function tryFlood({ report }: Attack, field: FloodField, trial: FloodTrial): Promise<void> {
  const { label, kinds, connections, rounds, calls, shareMin } = trial
  if (!report.attempt(label)) return
  const { flooder, gatewayUrl, decoyUrl, attackerKey } = field
  const tenant = { ...field.tenant, url: gatewayUrl }
  const [beside, under]: [number[], number[]] = [[], []]
  const failures: string[] = []
  let sent = ''
  await passThrough(tenant, calls)
  for (let round = 0; round < rounds; round += 1) {
    for (const [url, speeds] of [[decoyUrl, beside] as const, [gatewayUrl, under] as const]) {
      await flooder.start({ kinds, url, key: attackerKey, connections })
      const passage = await passThrough(tenant, calls)
      speeds.push(passage.perSecond)
      failures.push(...passage.failures)
      sent = await flooder.stop()
    }
  }
  const share = median(under) / median(beside)
  report.judge({
    label,
    isRight: failures.length === 0,
    expected: "no failure among the other tenant's calls",
    got: `${failures.length} of ${2 * rounds * calls}: ${failures[0]}`,
  })
  const speeds = `${median(under).toFixed(0)} of ${median(beside).toFixed(0)} calls a second are left, ${(100 * share).toFixed(0)} %`
  report.figure(`${label}: ${speeds} (${sent} so far)`)
  if (shareMin === null) return
  report.judge({
    label,
    isRight: share >= shareMin,
    expected: `at least ${100 * shareMin} % of the throughput`,
    got: speeds,
  })
}

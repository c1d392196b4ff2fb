import type { Drill } from '../drill.ts'
import { type AlertFault, alertFaults } from '../setup/alerts/alert-faults.ts'
import { createAlertScene } from '../setup/alerts/alert-scene.ts'
import { type Prometheus, startPrometheus } from '../setup/alerts/start-prometheus.ts'
import { startLoad } from '../setup/load.ts'
import { until } from '../setup/until.ts'

// A minute of the rules takes two seconds, and Prometheus scrapes every half second instead of every 15 s.
const factor = 30

export const alerts: Drill = {
  name: 'alerts',
  requires:
    'every fault fires its alerts in a Prometheus that asks a gateway and a worker, and they end after the repair',
  alone: true,
  long: true,
  hasOwnWorkers: true,
  async start(world) {
    const scene = await createAlertScene(world)
    const prometheus = await startPrometheus(factor, scene.ports)
    world.defer(() => prometheus.remove())
    const rows: Row[] = []
    world.tell(() => tableOf(rows))
    return async (random) => {
      const targets = () => [scene.gateway].filter(({ isAlive }) => isAlive)
      const load = startLoad(world, random, { targets, callers: scene.callers, clients: 2 })
      await load.waitForEnds(10)
      for (const fault of random.shuffle(alertFaults(world, scene))) {
        await waitForSilence(prometheus)
        rows.push(...(await prove(fault, prometheus)))
      }
      await waitForSilence(prometheus)
      await load.stop()
    }
  },
}

interface Row {
  readonly alert: string
  readonly fault: string
  readonly fireMs: number
  readonly resolveMs: number
}

/** Strikes until all alerts of the fault fire, and repairs until none does. */
async function prove(fault: AlertFault, prometheus: Prometheus): Promise<Row[]> {
  const struckAtMs = Date.now()
  await fault.strike()
  let repairedAtMs = Number.NaN
  // A missing alert is reported at the end of the drill, because a crashed or locked Postgres would otherwise block the
  // drill forever.
  const firing = await Promise.all(fault.alerts.map((alert) => waitFor(prometheus, { alert, fires: true }))).finally(
    () => {
      repairedAtMs = Date.now()
      return fault.repair()
    },
  )
  const ended = await Promise.all(fault.alerts.map((alert) => waitFor(prometheus, { alert, fires: false })))
  return fault.alerts.map((alert, index) => ({
    alert,
    fault: fault.what,
    fireMs: (firing[index] ?? Number.NaN) - struckAtMs,
    resolveMs: (ended[index] ?? Number.NaN) - repairedAtMs,
  }))
}

/** Returns the time of the observation. */
async function waitFor(prometheus: Prometheus, { alert, fires }: { alert: string; fires: boolean }): Promise<number> {
  await until(async () => {
    const isFiring = (await prometheus.firing()).has(alert)
    return isFiring === fires ? null : `${alert} ${fires ? 'does not fire' : 'still fires'}`
  })
  return Date.now()
}

async function waitForSilence(prometheus: Prometheus): Promise<void> {
  await until(async () => {
    const firing = [...(await prometheus.firing())]
    return firing.length === 0 ? null : `all is well, and still fires: ${firing.join(', ')}`
  })
}

function tableOf(rows: readonly Row[]): string[] {
  return [
    `all times of the rules are divided by ${factor}`,
    lineOf(['alert', 'fault', 's to fire', 's to resolve']),
    ...rows.map((row) => lineOf([row.alert, row.fault, seconds(row.fireMs), seconds(row.resolveMs)])),
  ]
}

function lineOf([alert, fault, fire, resolve]: [string, string, string, string]): string {
  return `${alert.padEnd(24)}${fault.padEnd(34)}${fire.padStart(12)}${resolve.padStart(15)}`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}

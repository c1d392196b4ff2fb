import type { Drill } from '../drill.ts'
import { runAutoCell } from '../setup/payments/auto-cell.ts'
import { cardFaults } from '../setup/payments/card-faults.ts'
import { watchAudit } from '../setup/payments/judge-orders.ts'
import { chargeKills } from '../setup/payments/kill-points.ts'
import { createMatrix } from '../setup/payments/matrix.ts'
import { startPaymentScene } from '../setup/payments/payment-scene.ts'

/** P13. */
export const paymentsAuto: Drill = {
  name: 'payments-auto',
  requires:
    'whatever becomes of the charge of a saved card and wherever a worker dies over it: each gap is charged once and credited once',
  hasOwnWorkers: true,
  async start(world) {
    const scene = await startPaymentScene(world)
    const audit = watchAudit(world.pool)
    const matrix = createMatrix(chargeKills.map(({ name }) => name))
    world.tell(() => matrix.lines())
    return async (random, point, { isShort }) => {
      const kills = isShort ? chargeKills.slice(1, 2) : random.shuffle(chargeKills)
      for (const [turn, kill] of kills.entries()) {
        // Each point has every fault once; over five points every fault meets every kill point.
        const faults = isShort
          ? cardFaults
          : cardFaults.filter((_, index) => (index + point + chargeKills.indexOf(kill)) % chargeKills.length === 0)
        const found = await runAutoCell({ faults, kill }, { scene, random, audit })
        const failures = matrix.note({ faults: faults.map(({ name }) => name), kill: kill.name }, found)
        for (const failure of failures) process.stderr.write(`  payments-auto: ${failure}\n`)
        process.stderr.write(`  payments-auto: ${turn + 1} of ${kills.length}, ${matrix.failures.length} failures\n`)
      }
      const { failures } = matrix
      if (failures.length > 0) throw new Error(`${failures.length} failures:\n${failures.join('\n')}`)
    }
  },
}

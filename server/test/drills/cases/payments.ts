import type { Drill } from '../drill.ts'
import { type KillPoint, orderKills, webhookKills, workerKills } from '../setup/payments/kill-points.ts'
import { watchAudit } from '../setup/payments/judge-orders.ts'
import { createMatrix } from '../setup/payments/matrix.ts'
import { type PaymentScene, startPaymentScene } from '../setup/payments/payment-scene.ts'
import { providerFaults } from '../setup/payments/provider-faults.ts'
import { type Cell, runCell } from '../setup/payments/run-cell.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'

/** P1, P3, P5 to P10 and P17, with processes killed during orders and refunds. */
export const paymentsOrders = drillOf('payments-orders', orderKills, ['none', 'after-checkout', 'after-refund'])
/** The same with gateways killed while they process a webhook. */
export const paymentsWebhooks = drillOf('payments-webhooks', webhookKills, ['mid-payment', 'after-payment'])
/** The same with workers killed while they process orders without a webhook. */
export const paymentsWorker = drillOf('payments-worker', workerKills, ['before-payment-commit'])

// The default number of points combines every kill point with every fault.
const usualPoints = 5

function drillOf(name: string, kills: readonly KillPoint[], shortKills: readonly string[]): Drill {
  return {
    name,
    requires:
      'whatever a payment provider does wrong and wherever a process dies: no payment is lost, none is credited twice or unpaid, the books are the provider’s',
    hasOwnWorkers: true,
    async start(world) {
      const scene = await startPaymentScene(world)
      const gateways = createGateways(scene)
      const audit = watchAudit(world.pool)
      const matrix = createMatrix(kills.map((kill) => kill.name))
      world.tell(() => matrix.lines())
      return async (random, point, { isShort }) => {
        const cells = isShort
          ? shortCells(kills.filter((kill) => shortKills.includes(kill.name)))
          : random.shuffle(cellsOf(kills, point))
        for (const [index, cell] of cells.entries()) {
          const gateway = await gateways.next(cell.kill, { random, upcoming: cells[index + 1]?.kill })
          const found = await runCell(cell, { scene, random, gateway, audit })
          const failures = matrix.note({ faults: cell.faults.map((fault) => fault.name), kill: cell.kill.name }, found)
          for (const failure of failures) process.stderr.write(`  ${name}: ${failure}\n`)
          if ((index + 1) % 10 === 0)
            process.stderr.write(`  ${name}: ${index + 1} of ${cells.length}, ${matrix.failures.length} failures\n`)
        }
        const { failures } = matrix
        if (failures.length > 0) throw new Error(`${failures.length} failures:\n${failures.join('\n')}`)
      }
    },
  }
}

/**
 * Every fault at every point, each time with the next kill points: over the default number of points, once with each.
 */
function cellsOf(kills: readonly KillPoint[], point: number): Cell[] {
  const from = Math.floor(((point - 1) * kills.length) / usualPoints)
  const until = Math.floor((point * kills.length) / usualPoints)
  return providerFaults.flatMap((fault, row) =>
    Array.from({ length: until - from }, (_, step) => {
      const kill = kills[(row + from + step) % kills.length]
      return kill === undefined ? [] : [{ faults: [fault, fault], kill }]
    }).flat(),
  )
}

/** Every fault once, spread over few kill points. */
function shortCells(kills: readonly KillPoint[]): Cell[] {
  return kills.map((kill, turn) => ({
    kill,
    faults: providerFaults.filter((_, index) => index % kills.length === turn),
  }))
}

/**
 * The gateway of each cell. A gateway that will be killed starts while the previous cell runs; a gateway that is not
 * killed is reused.
 */
function createGateways(scene: PaymentScene) {
  let calm: Promise<ServerProcess> | null = null
  let started: { kill: KillPoint; gateway: Promise<ServerProcess | null> } | null = null

  function start(kill: KillPoint, random: Random): Promise<ServerProcess | null> {
    if (kill.victim === 'worker') return Promise.resolve(null)
    if (kill.victim === null) {
      calm ??= scene.startGateway('')
      return calm
    }
    return scene.startGateway(kill.failpoint === null ? '' : `${kill.failpoint}=exit@${random.integer(1, 2)}`)
  }

  return {
    next: async (
      kill: KillPoint,
      { random, upcoming }: { random: Random; upcoming: KillPoint | undefined },
    ): Promise<ServerProcess | null> => {
      const gateway = await (started?.kill === kill ? started.gateway : start(kill, random))
      started = upcoming === undefined ? null : { kill: upcoming, gateway: start(upcoming, random) }
      started?.gateway.catch(() => {})
      return gateway
    },
  }
}

import { createRandom } from '#test/drills/setup/random.ts'
import { type Buyer, createBuyer } from '#test/drills/setup/payments/buyer.ts'
import type { Front } from '#test/drills/setup/payments/front.ts'
import { judgeOrders } from '#test/drills/setup/payments/judge-orders.ts'
import { type Payer, type PaymentScene, startPaymentScene } from '#test/drills/setup/payments/payment-scene.ts'
import { settle } from '#test/drills/setup/payments/run-cell.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import type { Area, Attack } from '../area.ts'
import { type Fate, fates } from '../payments/fates.ts'
import { forgeries, type Loot } from '../payments/forgeries.ts'
import { sendEvent } from '../payments/send-event.ts'
import { storm } from '../payments/storm.ts'
import { atOnce } from '../setup/at-once.ts'
import { judgeBooks } from '../setup/judge-books.ts'
import { endServers } from '../setup/judge-server.ts'

// A full run has all orders of delivery: 120 for five acts.
const ordersShort = 3
const [copiesFull, copiesShort] = [8, 4]
const stormsAtOnce = 8
const forgeryCopies = 4
const mismatch = /"msg":"payment does not match its order"/

/**
 * The drill `payments` covers provider faults while processes die; here processes live and the deliveries are hostile.
 */
export const payments: Area = {
  name: 'payments',
  tries: 'payment webhooks at once, in every order, replayed and forged',
  alarm: mismatch,
  async run(attack) {
    const { world, report, isShort } = attack
    const scene = await startPaymentScene(world)
    const gateways = [scene.steady, await scene.startGateway('')] as const
    const payers: Payer[] = []
    let workerPass: Promise<void> | null = null
    const storms = fates.flatMap((fate) =>
      Array.from({ length: Math.min(countOrders(fate), isShort ? ordersShort : Infinity) }, (_, permutation) => ({
        fate,
        permutation,
      })),
    )
    await atOnce(storms, stormsAtOnce, async ({ fate, permutation }) => {
      const label = `${fate.name}, delivered in order ${permutation + 1}`
      if (!report.attempt(label)) return
      const { payer, buyer } = await newBuyer(attack, { scene, gateways })
      payers.push(payer)
      const copies = isShort ? copiesShort : copiesFull
      const failed = await storm({ scene, gateways, payer, buyer, fate, permutation, copies })
      for (const { status, text } of failed) report.find({ label, expected: '200', got: `${status} ${text}` })
      workerPass ??= checkOrders(scene).finally(() => {
        workerPass = null
      })
    })
    await workerPass
    payers.push(...(await tryForgeries(attack, { scene, gateways })))
    await settle(scene, payers)
    const walletIds = payers.map(({ walletId }) => walletId)
    for (const got of await judgeOrders(scene, walletIds)) {
      report.find({ label: 'orders', expected: 'the books to say what the provider says', got })
    }
    await judgeBooks(attack)
    await endServers(attack, gateways, mismatch)
    report.figure(`${storms.length} orders, ${forgeries.length} forgeries`)
  },
}

type Gateways = readonly [ServerProcess, ServerProcess]

interface Stage {
  readonly scene: PaymentScene
  readonly gateways: Gateways
}

/** A worker checks all open orders while their webhooks arrive. */
async function checkOrders(scene: PaymentScene): Promise<void> {
  await scene.letPass()
  await scene.work('payments')
}

/** The number of delivery orders of a fate's acts. */
function countOrders({ acts }: Fate): number {
  return acts.reduce((count, _act, index) => count * (index + 1), 1)
}

/** Creates an order of a new payer. */
async function newBuyer({ random }: Attack, { scene, gateways }: Stage): Promise<{ payer: Payer; buyer: Buyer }> {
  const seed = random.integer(0, 2 ** 31)
  const payer = await scene.addPayer()
  const own = createRandom(seed)
  const front: Front = { ask: (call) => call(own.pick(gateways).url), deliver: async () => {} }
  const { provider, operatorKey } = scene
  const buyer = createBuyer({ random: own, provider, payer, operatorKey, front })
  const ordering = buyer.order()
  while ((await ordering.next()).done !== true);
  return { payer, buyer }
}

/** A victim with a paid order and a forger with an unpaid one. No forgery changes either order. */
async function tryForgeries(attack: Attack, stage: Stage): Promise<Payer[]> {
  const { report } = attack
  const { scene, gateways } = stage
  const { state, webhookSecret: secret } = scene.provider
  const victim = await newBuyer(attack, stage)
  const forger = await newBuyer(attack, stage)
  const [pay = fates[0]] = fates
  const before = state.events.length
  if (pay !== undefined) await storm({ ...stage, ...victim, fate: pay, permutation: 0, copies: 1 })
  const event = state.events[before]
  if (event === undefined) throw new Error('a payment tells an event')
  let ids = 0
  const newId = (): string => `evt_forged_${(ids += 1)}`
  const loot: Loot = { event, paid: victim.buyer.session, unpaid: forger.buyer.session, secret, newId }
  await atOnce(forgeries, stormsAtOnce, async ({ name, status, forge }) => {
    const label = `forged: ${name}`
    if (!report.attempt(label)) return
    const { text, signature } = forge(loot)
    const sent = Array.from({ length: forgeryCopies }, (_, copy) =>
      sendEvent(gateways[copy % 2] ?? gateways[0], text, signature),
    )
    for (const answer of await Promise.all(sent)) {
      if (answer.status === status) continue
      report.find({
        label,
        expected: String(status),
        got: `${answer.status} ${answer.text}`,
        request: text.slice(0, 600),
      })
    }
  })
  return [victim.payer, forger.payer]
}

import assert from 'node:assert/strict'
import { createRandom, type Random } from '../random.ts'
import type { ServerProcess } from '../server-process.ts'
import { until } from '../until.ts'
import { type Buyer, createBuyer } from './buyer.ts'
import { createFront, type Front } from './front.ts'
import { type Flow, interleave } from './interleave.ts'
import { judgeOrders } from './judge-orders.ts'
import type { KillPoint } from './kill-points.ts'
import type { Payer, PaymentScene } from './payment-scene.ts'
import { noFault, type ProviderFault } from './provider-faults.ts'

/** Several concurrent orders. */
export interface Cell {
  /** One per order; one more order without a fault reaches every kill point. */
  readonly faults: readonly ProviderFault[]
  readonly kill: KillPoint
}

interface CellOptions {
  readonly scene: PaymentScene
  readonly random: Random
  /** The gateway of this cell, which may be killed. Null if a worker is killed instead. */
  readonly gateway: ServerProcess | null
  readonly audit: () => Promise<string[]>
}

/** Applies faults to several orders at once, kills a process meanwhile, and returns the problems. */
export async function runCell({ faults, kill }: Cell, options: CellOptions): Promise<string[]> {
  const { scene, random, gateway, audit } = options
  const { provider } = scene
  const payers = await Promise.all([scene.addPayer(), scene.addPayer()])
  const front = createFront(provider, { steady: scene.steady, mortal: gateway })
  const act = (each: readonly ProviderFault[]): Flow[] =>
    each.map((fault) => live(fault, newBuyer(options, { payer: random.pick(payers), front })))
  const orders = act([...faults, noFault])
  if (kill.victim === 'worker') {
    provider.webhooks.targets = []
    await interleave(random, orders)
    await killWorker(scene, { kill, random })
  } else {
    const disarm = kill.victim !== null && kill.failpoint === null ? killWhileAsking(options) : () => {}
    await interleave(random, orders, () => front.deliver({ isReversed: random.chance(0.5) }))
    const isAwaited = (): boolean => kill.victim !== null && gateway?.isAlive === true
    for (let more = 0; isAwaited(); more += 1) {
      assert.ok(more < moreMax, `${kill.name} was not reached`)
      await interleave(random, act([noFault]), () => front.deliver({ isReversed: false }))
      await front.deliver({ isReversed: false })
    }
    disarm()
  }
  await settle(scene, payers)
  const found = [...(await judgeOrders(scene, walletsOf(payers))), ...(await audit())]
  if (found.length === 0) provider.state.forgetLists()
  return found
}

// The second order without a fault reaches the kill point at the latest.
const moreMax = 6

function newBuyer({ scene, random }: CellOptions, { payer, front }: { payer: Payer; front: Front }): Buyer {
  const { provider, operatorKey } = scene
  // Its own random generator, so that it does not depend on the order of concurrent steps.
  return createBuyer({ random: createRandom(random.integer(0, 2 ** 31)), provider, payer, operatorKey, front })
}

async function* live(fault: ProviderFault, buyer: Buyer): Flow {
  fault.begin?.(buyer)
  yield* buyer.order()
  yield
  yield* fault.happen(buyer)
  if (fault !== noFault) return
  yield
  yield* buyer.refund()
}

/** The gateway dies while it waits for the provider, which completes the request. */
function killWhileAsking({ scene: { provider }, random, gateway }: CellOptions): () => void {
  let left = random.integer(1, 6)
  provider.onCall = async () => {
    left -= 1
    if (left === 0) await gateway?.kill()
  }
  return () => {
    provider.onCall = () => {}
  }
}

/** A worker dies while it processes orders without a webhook; another one replaces it. */
async function killWorker(scene: PaymentScene, { kill, random }: { kill: KillPoint; random: Random }): Promise<void> {
  await scene.letPass()
  // A worker that dies before it is ready has already fulfilled its purpose.
  const mortal = scene.startWorker(`${kill.failpoint}=exit@${random.integer(1, 2)}`)
  await mortal.then(({ exited }) => exited).catch(() => {})
  await scene.letPass()
  const marks = `SELECT coalesce(max(events_until), '-infinity')::text || max(balances_until)::text AS at FROM payment_watermarks`
  const read = async (): Promise<string | undefined> =>
    (await scene.world.pool.query<{ at: string }>(marks)).rows[0]?.at ?? undefined
  const before = await read()
  const next = await scene.startWorker('')
  await until(async () => ((await read()) === before ? 'the next worker has not read the list of events' : null))
  await next.kill()
}

/** All sent events are processed, and a worker has polled the rest and read the provider's ledger. */
export async function settle(scene: PaymentScene, payers: readonly Payer[]): Promise<void> {
  const { provider, steady, world } = scene
  provider.heal()
  provider.webhooks.targets = [steady.url]
  for (let rounds = 1; provider.webhooks.waiting > 0 || rounds === 1; rounds += 1) {
    assert.ok(rounds < 10, `${provider.webhooks.waiting} webhooks are not taken`)
    await provider.webhooks.deliver()
  }
  // On a busy machine a response may be late; a worker retries.
  for (let rounds = 1, complaints = 1; complaints > 0; rounds += 1) {
    assert.ok(rounds < 10, 'orders cannot be asked about')
    await scene.letPass()
    complaints = await scene.work('payments')
  }
  await scene.work('payment-events')
  await scene.work('payment-books')
  // Everything is an hour old, so the ledgers must agree to the cent.
  await world.pool.query(`UPDATE payment_watermarks SET balances_until = now() + interval '2 hours'`)
  await world.pool.query(`UPDATE top_ups SET next_check_at = NULL WHERE wallet_id = ANY ($1)`, [walletsOf(payers)])
}

export function walletsOf(payers: readonly Payer[]): string[] {
  return payers.map(({ walletId }) => walletId)
}

import { setImmediate as turn } from 'node:timers/promises'
import type { Buyer } from '#test/drills/setup/payments/buyer.ts'
import type { Payer, PaymentScene } from '#test/drills/setup/payments/payment-scene.ts'
import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import type { ProviderEvent } from '#test/simulators/payments/objects.ts'
import { createClient } from '#test/setup/client.ts'
import type { Answer } from '../setup/send.ts'
import { sendEvent, signEvent } from './send-event.ts'
import type { Fate } from './fates.ts'

interface Storm {
  readonly scene: PaymentScene
  readonly gateways: readonly [ServerProcess, ServerProcess]
  readonly payer: Payer
  readonly buyer: Buyer
  readonly fate: Fate
  /** The index of the delivery order, from 0. */
  readonly permutation: number
  readonly copies: number
}

/**
 * Applies a fate to an order and delivers the events of its acts in another order: when the first event arrives, all
 * acts have already happened at the provider. All copies of an event are sent at once over both gateways; half of the
 * time the next event does not wait for them. Meanwhile the payer requests the order. Resolves with the responses other
 * than 200.
 */
export async function storm({ scene, gateways, payer, buyer, fate, permutation, copies }: Storm): Promise<Answer[]> {
  const { provider } = scene
  const { acts } = fate
  const told: ProviderEvent[][] = []
  const sent: Promise<Answer>[] = []
  const checks: Promise<unknown>[] = []
  for (const step of permute([...acts.keys()], permutation)) {
    for (const act of acts.slice(told.length, step + 1)) {
      const before = provider.state.events.length
      act(buyer)
      told.push(provider.state.events.slice(before))
      if (buyer.random.chance(0.5)) await turn()
    }
    const events = buyer.random.shuffle(told[step] ?? [])
    // Sometimes sends an earlier event again along with the new ones.
    for (const event of [...events, ...(buyer.random.chance(0.3) ? [buyer.random.pick(told.flat())] : [])]) {
      const text = JSON.stringify(event, null, 2)
      for (let copy = 0; copy < copies; copy += 1) {
        const signature = signEvent(text, { secret: provider.webhookSecret, atMs: Date.now() })
        sent.push(sendEvent(gateways[copy % 2] ?? gateways[0], text, signature))
      }
    }
    const path = `/api/wallets/${payer.walletId}/top-ups/${buyer.id}/check`
    checks.push(createClient(buyer.random.pick(gateways).url, { cookie: payer.cookie }).post(path, {}))
    if (buyer.random.chance(0.5)) await Promise.all(sent)
  }
  await Promise.all(checks)
  return (await Promise.all(sent)).filter(({ status }) => status !== 200)
}

/** Returns one permutation of the items by its number, modulo their count. */
function permute<T>(items: readonly T[], number: number): T[] {
  const left = [...items]
  const chosen: T[] = []
  let rest = number
  while (left.length > 0) {
    chosen.push(...left.splice(rest % left.length, 1))
    rest = Math.floor(rest / (left.length + 1))
  }
  return chosen
}

import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestCaller } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { startToxicsProxy } from '../setup/toxics-proxy.ts'
import type { World } from '../setup/world.ts'

const statements = ['settle-generations', 'place-holds'] as const

export const commitUnknown: Drill = {
  name: 'commit-unknown',
  requires: 'the answer to a settle or a hold is lost: it is tried again by its id, and there is one charge',
  async start(world) {
    await addUpstream(world)
    const proxy = await startToxicsProxy(world.postgres.port)
    world.defer(() => proxy.close())
    const url = new URL(world.databaseUrl)
    url.port = String(proxy.port)
    const gateway = await world.startGateway({ env: { WEIR_POSTGRES_URL: url.href } })
    const caller = await world.createCaller()
    return async (random) => {
      for (const text of random.shuffle(statements)) {
        for (const when of random.shuffle(['sent', 'answered'] as const)) {
          const warm = await world.call(gateway, caller, chatBody()).ended
          assert.equal(warm.status, 200, warm.text)
          const cutsBefore = proxy.cuts
          const times = random.integer(1, 2)
          proxy.apply({ kind: 'cut-after-match', text, when, times })
          // Behind a lock the first try is still under way when the next one begins.
          const unlock = when === 'sent' ? await lockWallet(world, caller) : async () => {}
          const call = world.call(gateway, caller, chatBody({ stream: random.chance(0.5) }))
          await wait(random.integer(100, 300))
          await unlock()
          const seen = await call.ended
          const cuts = proxy.cuts - cutsBefore
          proxy.apply({ kind: 'pass' })
          assert.equal(cuts, times, `${text} was cut off when ${when}`)
          assert.equal(seen.status, 200, `${text} cut off ${times} times when ${when}: ${seen.text}`)
          assert.ok(seen.costNano !== null && seen.costNano > 0n, `the cost is shown: ${seen.text}`)
        }
      }
    }
  },
}

async function lockWallet(world: World, { walletId }: TestCaller): Promise<() => Promise<void>> {
  const client = await world.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT id FROM wallets WHERE id = $1 FOR NO KEY UPDATE', [walletId])
  return async () => {
    await client.query('COMMIT')
    client.release()
  }
}

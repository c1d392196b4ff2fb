import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedCompletion } from '../setup/gated-stream.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { openRoad } from '../setup/open-road.ts'
import type { ToxicsProxy } from '../setup/toxics-proxy.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

/**
 * Name prefixes of the statements to cut. Each matches the single and the batch statement, because a retry runs as a
 * batch.
 */
const statements = ['settle-generation', 'place-hold'] as const

interface Scene {
  world: World
  proxy: ToxicsProxy
  gateway: ServerProcess
  caller: TestClient
  random: Random
}

interface Cut {
  text: (typeof statements)[number]
  when: 'sent' | 'answered'
  times: number
}

export const commitUnknown: Drill = {
  name: 'commit-unknown',
  requires: 'the answer to a settle or a hold is lost: it is tried again by its id, and there is one charge',
  async start(world) {
    await addUpstream(world)
    const { proxy, url } = await openRoad(world)
    const gateway = await world.startGateway({ env: { WEIR_POSTGRES_URL: url } })
    const caller = await world.createClient()
    return async (random) => {
      for (const text of random.shuffle(statements)) {
        for (const when of random.shuffle(['sent', 'answered'] as const)) {
          await strike({ world, proxy, gateway, caller, random }, { text, when, times: random.integer(1, 2) })
        }
      }
    }
  },
}

async function strike({ world, proxy, gateway, caller, random }: Scene, cut: Cut): Promise<void> {
  const { text, when, times } = cut
  await world.simulator.forget()
  await world.simulator.play(gatedCompletion('answer'))
  const cutsBefore = proxy.cuts
  proxy.apply({ kind: 'cut-after-match', ...cut })
  // Behind a lock the first attempt is still in progress when the next one starts. The hold comes before the dispatch.
  const isLocked = when === 'sent'
  const waiters = random.integer(1, times + 1)
  const unlockHold = isLocked && text === 'place-hold' ? await lockWallet(world, caller) : null
  const call = world.call(gateway, caller, chatBody({ stream: random.chance(0.5) }))
  await unlockHold?.(waiters)
  await world.simulator.waitForRequests(1)
  const unlockSettle = isLocked && text === 'settle-generation' ? await lockWallet(world, caller) : null
  await world.simulator.release('answer')
  await unlockSettle?.(waiters)
  const seen = await call.ended
  const cuts = proxy.cuts - cutsBefore
  proxy.apply({ kind: 'pass' })
  assert.equal(cuts, times, `${text} was cut off when ${when}`)
  assert.equal(seen.status, 200, `${text} cut off ${times} times when ${when}: ${seen.text}`)
  assert.ok(seen.costNano !== null && seen.costNano > 0n, `the cost is shown: ${seen.text}`)
}

/** Returns the unlock function once this many statements wait for the lock. */
async function lockWallet(world: World, { walletId }: TestClient): Promise<(waiters: number) => Promise<void>> {
  const client = await world.pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT id FROM wallets WHERE id = $1 FOR NO KEY UPDATE', [walletId])
  return async (waiters) => {
    await until(async () => {
      const { rows } = await world.pool.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      const count = rows[0]?.count ?? 0
      return count >= waiters ? null : `${count} of ${waiters} statements wait for the wallet`
    })
    await client.query('COMMIT')
    client.release()
  }
}

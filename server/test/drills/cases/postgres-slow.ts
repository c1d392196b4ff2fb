import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { openRoad } from '../setup/open-road.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

// The two times are far apart, so that a busy machine is not mistaken for a slow Postgres.
const deadlineMs = 1_500
const slowestMs = 12_000
const callsEach = 4

export const postgresSlow: Drill = {
  name: 'postgres-slow',
  requires:
    'Postgres answers too late: paid calls get 503 before they are dispatched, what needs no Postgres is answered, streams end, and nothing is charged twice',
  async start(world) {
    await addUpstream(world)
    const { proxy, url } = await openRoad(world)
    const deadlines = { WEIR_MONEY_HOLD_DEADLINE_MS: String(deadlineMs), WEIR_MONEY_SETTLE_DEADLINE_MS: '500' }
    const gateway = await world.startGateway({ env: { WEIR_POSTGRES_URL: url, ...deadlines } })
    const caller = await world.createClient()
    return async (random, point) => {
      const gate = `slow-${point}`
      await world.simulator.forget()
      await world.simulator.play(gatedStream(random.integer(1, streamPieces.length), gate))
      const running = await openStream(world, gateway, caller)
      const isSilent = random.chance(0.3)
      const delayMs = random.integer(2 * deadlineMs, slowestMs)
      proxy.apply(isSilent ? { kind: 'stall' } : { kind: 'latency', delayMs })
      const before = (await world.simulator.requests()).length
      const refused = await Promise.all(
        Array.from({ length: callsEach }, () => world.call(gateway, caller, chatBody()).ended),
      )
      for (const { status, text, retryAfterS } of refused) {
        assert.equal(status, 503, `a call whose hold comes too late is refused: ${text}`)
        assert.ok(retryAfterS !== null, 'the refusal says when to come back')
      }
      assert.equal((await world.simulator.requests()).length, before, 'nothing is dispatched without its hold')
      const list = await fetch(`${gateway.url}/v1/models`)
      assert.equal(list.status, 200, await list.text())
      await world.simulator.release(gate)
      const seen = await running.ended
      assert.ok(seen.sawDone && seen.costNano !== null && seen.costNano > 0n, `a running stream ends: ${seen.text}`)
      proxy.apply({ kind: 'pass' })
      await world.simulator.play({ kind: 'echo' })
      await until(async () => {
        const { status, text } = await world.call(gateway, caller, chatBody()).ended
        return status === 200 ? null : `Postgres is quick again, and a call gets ${status}: ${text}`
      })
    }
  },
}

/** Repeats until a stream is granted: a busy machine may have rejected the first. */
async function openStream(world: World, gateway: ServerProcess, caller: TestClient) {
  for (;;) {
    const call = world.call(gateway, caller, chatBody({ stream: true }))
    await call.waitForChunks(1)
    if (call.soFar.chunks > 0) return call
    assert.equal((await call.ended).status, 503, call.soFar.text)
  }
}

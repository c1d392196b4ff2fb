import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedStream, streamPieces } from '../setup/gated-stream.ts'
import { openHeldStreams, proveStreamsEnd } from '../setup/held-streams.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { proveServedOrRefused } from '../setup/prove-served.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import type { World } from '../setup/world.ts'

export const postgresRestart: Drill = {
  name: 'postgres-restart',
  requires:
    'Postgres crashes under load: 503 and never 401, no new dispatch, running streams end, settles are replayed',
  async start(world) {
    await addUpstream(world)
    const slow = await world.startSimulator()
    await addUpstream(world, { url: slow.url, name: 'slow', pattern: 'openai/gpt-4o-mini' })
    await world.simulator.play(loadScenario)
    const gateways = await Promise.all([world.startGateway(), world.startGateway()])
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    return async (random, point) => {
      const gate = `postgres-${point}`
      await slow.play(gatedStream(random.integer(1, streamPieces.length), gate))
      const running = await openHeldStreams(world, random, { gateways, callers })
      const load = startLoad(world, random, { targets: () => gateways, callers, clients: 8 })
      await load.waitForEnds(random.integer(8, 40))
      await world.postgres.crash()
      try {
        // Requests granted before the crash may be dispatched after it; only requests that started later are judged.
        await load.waitForTurnover()
        await proveRefusal(world, { gateway: random.pick(gateways), caller: random.pick(callers) })
        await slow.release(gate)
        await proveStreamsEnd(running)
      } finally {
        await world.postgres.start()
      }
      await load.waitForEnds(random.integer(5, 25))
      const seen = await load.stop()
      proveServedOrRefused(world, seen)
      const after = await world.call(random.pick(gateways), random.pick(callers), chatBody()).ended
      assert.equal(after.status, 200, `Postgres is back: ${after.text}`)
    }
  },
}

/** A paid request while Postgres is down: it fails as our fault, and the upstream receives nothing. */
async function proveRefusal(world: World, { gateway, caller }: { gateway: ServerProcess; caller: TestClient }) {
  const before = (await world.simulator.requests()).length
  const seen = await world.call(gateway, caller, chatBody()).ended
  assert.equal(seen.status, 503, `without Postgres: ${seen.text}`)
  assert.ok(seen.retryAfterS !== null, 'the refusal says when to come back')
  assert.equal((await world.simulator.requests()).length, before, 'nothing is dispatched while Postgres is down')
}

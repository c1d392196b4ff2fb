import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { loadScenario, startLoad } from '../setup/load.ts'

// A connection that reached the listener just before the signal may still be unread.
const acceptedAfterMs = 100

/** P12. */
export const killUnderLoad: Drill = {
  name: 'kill-under-load',
  requires: 'SIGKILL and SIGTERM under load: the ledger is what clients saw',
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const callers = await Promise.all(Array.from({ length: 4 }, () => world.createCaller()))
    const places = ['north', 'east', 'south']
    const gateways = await Promise.all(places.map((place) => world.startGateway({ place })))

    return async (random) => {
      const load = startLoad(world, random, {
        targets: () => gateways.filter(({ isAlive }) => isAlive),
        callers,
        clients: 12,
      })
      const [killed = 0, ended = 0] = random.shuffle([0, 1, 2])
      await wait(random.integer(300, 900))
      await gateways[killed]?.kill()
      await wait(random.integer(50, 400))
      const leaving = gateways[ended]
      const signalledAtMs = Date.now()
      assert.equal(await leaving?.terminate(), 0, 'SIGTERM ends a gateway in order')
      await wait(random.integer(50, 300))
      const seen = await load.stop()
      const lost = seen.filter(
        (one) =>
          one.gateway === leaving?.url && one.end === 'broken' && one.startedAtMs < signalledAtMs - acceptedAfterMs,
      )
      assert.deepEqual(lost, [], 'calls that were accepted before SIGTERM are served to their end')
      assert.ok(seen.filter(({ end }) => end === 'complete').length > 10, 'there was a load')
      for (const index of [killed, ended]) {
        const place = places[index]
        if (place !== undefined) gateways[index] = await world.startGateway({ place })
      }
    }
  },
}

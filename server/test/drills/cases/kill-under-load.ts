import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Call } from '../setup/call.ts'
import { type Load, loadScenario, startLoad } from '../setup/load.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'

const places = ['north', 'east', 'south'] as const

/** P12. */
export const killUnderLoad: Drill = {
  name: 'kill-under-load',
  requires: 'SIGKILL and SIGTERM under load: the ledger is what clients saw',
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const callers = await Promise.all(Array.from({ length: 4 }, () => world.createClient()))
    const seats = await Promise.all(
      places.map(async (place) => ({ place, gateway: await world.startGateway({ place }) })),
    )

    return async (random) => {
      const load = startLoad(world, random, {
        targets: () => seats.map(({ gateway }) => gateway).filter(({ isAlive }) => isAlive),
        callers,
        clients: 12,
      })
      const [killed, leaving] = random.shuffle(seats)
      assert.ok(killed !== undefined && leaving !== undefined, 'there are gateways')
      await load.waitForEnds(random.integer(12, 60))
      await killed.gateway.kill()
      await load.waitForEnds(random.integer(3, 30))
      const accepted = await waitForAccepted(load, leaving.gateway)
      assert.equal(await leaving.gateway.terminate(), 0, 'SIGTERM ends a gateway in order')
      await load.waitForEnds(random.integer(3, 20))
      const seen = await load.stop()
      const lost = accepted.map(({ soFar }) => soFar).filter(({ end }) => end !== 'complete')
      assert.deepEqual(lost, [], 'calls that were accepted before SIGTERM are served to their end')
      assert.ok(seen.filter(({ end }) => end === 'complete').length > 10, 'there was a load')
      await Promise.all(
        [killed, leaving].map(async (seat) => {
          seat.gateway = await world.startGateway({ place: seat.place })
        }),
      )
    }
  },
}

/** Connections are accepted in order: once a later one is answered, all of these are accepted. */
async function waitForAccepted(load: Load, { url }: ServerProcess): Promise<readonly Call[]> {
  const ofGateway = (): readonly Call[] => load.running.filter(({ soFar }) => soFar.gateway === url)
  await until(async () => (ofGateway().length > 0 ? null : `no call is at ${url}`))
  const calls = ofGateway()
  await (await fetch(`${url}/health`, { headers: { connection: 'close' } })).text()
  return calls
}

import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { startBalancer } from '../setup/balancer.ts'
import { loadScenario, startLoad } from '../setup/load.ts'

// The balancer checks every 50 ms. The rest is a margin for a busy machine.
const env = { WEIR_DRAIN_NOTICE_MS: '3000' }

export const rollingDeploy: Drill = {
  name: 'rolling-deploy',
  requires: 'two gateways behind a balancer replaced one by one under load: streams drain, no request fails',
  long: true,
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const balancer = await startBalancer()
    world.defer(() => balancer.close())
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    const running = await Promise.all([world.startGateway({ env }), world.startGateway({ env })])
    for (const gateway of running) await balancer.add(gateway.url)
    return async (random) => {
      const load = startLoad(world, random, { targets: () => [balancer], callers, clients: 10 })
      await load.waitForEnds(random.integer(10, 40))
      for (const [index, old] of running.entries()) {
        const fresh = await world.startGateway({ env })
        await balancer.add(fresh.url)
        await load.waitForEnds(random.integer(3, 20))
        assert.equal(await old.terminate(), 0, 'the old one ends in order')
        balancer.remove(old.url)
        running[index] = fresh
      }
      await load.waitForEnds(random.integer(5, 30))
      const seen = await load.stop()
      const failed = seen.filter(({ status, end }) => status !== 200 || end !== 'complete')
      assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} requests failed`)
    }
  },
}

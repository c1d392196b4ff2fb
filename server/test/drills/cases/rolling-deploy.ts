import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { startBalancer } from '../setup/balancer.ts'

export const rollingDeploy: Drill = {
  name: 'rolling-deploy',
  requires: 'two gateways behind a balancer replaced one by one under load: streams drain, no request fails',
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const balancer = await startBalancer()
    world.defer(() => balancer.close())
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createCaller()))
    const running = await Promise.all([world.startGateway(), world.startGateway()])
    for (const gateway of running) await balancer.add(gateway.url)
    return async (random) => {
      const load = startLoad(world, random, { targets: () => [balancer], callers, clients: 10 })
      await wait(random.integer(200, 600))
      for (const [index, old] of running.entries()) {
        const fresh = await world.startGateway()
        await balancer.add(fresh.url)
        await wait(random.integer(50, 300))
        assert.equal(await old.terminate(), 0, 'the old one ends in order')
        running[index] = fresh
      }
      await wait(random.integer(100, 400))
      const seen = await load.stop()
      const failed = seen.filter(({ status, end }) => status !== 200 || end !== 'complete')
      assert.deepEqual(failed.slice(0, 3), [], `${failed.length} of ${seen.length} requests failed`)
      assert.ok(seen.length > 10, 'there was a load')
    }
  },
}

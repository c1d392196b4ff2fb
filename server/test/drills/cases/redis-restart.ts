import assert from 'node:assert/strict'
import { Redis } from 'ioredis'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { loadScenario, startLoad } from '../setup/load.ts'

export const redisRestart: Drill = {
  name: 'redis-restart',
  requires: 'Redis killed, started again and emptied under load: valid keys are never refused, money is unaffected',
  async start(world) {
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const gateways = await Promise.all([world.startGateway(), world.startGateway()])
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    return async (random) => {
      const load = startLoad(world, random, { targets: () => gateways, callers, clients: 8 })
      await load.waitForEnds(random.integer(8, 30))
      await world.redis.kill()
      try {
        await load.waitForEnds(random.integer(0, 15))
        const newcomer = await world.createClient()
        const first = await world.call(random.pick(gateways), newcomer, chatBody()).ended
        assert.equal(first.status, 200, `a key that no gateway has cached works without Redis: ${first.text}`)
        await load.waitForEnds(random.integer(5, 25))
      } finally {
        await world.redis.start()
      }
      await load.waitForEnds(random.integer(5, 25))
      await flushAll(world.redis.url)
      await load.waitForEnds(random.integer(5, 20))
      const seen = await load.stop()
      const refused = seen.filter(({ status, end }) => status !== 200 || end !== 'complete')
      assert.deepEqual(refused.slice(0, 3), [], 'every call was served')
    }
  },
}

async function flushAll(url: string): Promise<void> {
  const redis = new Redis(url)
  await redis.flushall()
  redis.disconnect()
}

import assert from 'node:assert/strict'
import { faults } from '#test/simulators/scenarios/faults.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import type { World } from '../setup/world.ts'

const failingCalls = 40
// A tenth of the requests, and the initial budget of ten.
const retriesMax = 10 + failingCalls / 10

export const upstreamFailover: Drill = {
  name: 'upstream-failover',
  requires:
    '429, 500 and 529 at the first upstream: the second answers, it is recorded, and retries stay within budget',
  async start(world) {
    const second = await world.startSimulator()
    await addUpstream(world)
    await addUpstream(world, { url: second.url, name: 'second', priority: 1, vendor: 'together' })
    await addUpstream(world, { name: 'alone', pattern: 'openai/gpt-4o-mini' })
    return async (random) => {
      const gateway = await world.startGateway()
      const stream = random.chance(0.5)
      const failing = [faults.serverError(500), faults.serverError(529), faults.rateLimited({ retryAfter: 60 })]
      for (const scenario of failing) {
        await Promise.all([world.simulator.forget(), second.forget()])
        await world.simulator.play(scenario)
        // A conversation stays with its upstream, so each of these is a new one.
        const caller = await world.createClient()
        const seen = await world.call(gateway, caller, chatBody({ stream })).ended
        assert.equal(seen.status, 200, seen.text)
        assert.ok(seen.costNano !== null && seen.costNano > 0n, seen.text)
        assert.deepEqual([await countOf(world.simulator), await countOf(second)], [1, 1], 'each was asked once')
        assert.deepEqual(await recordOf(world, seen.generationId), { is_failover: true, attempts: 2 })
      }
      await world.simulator.forget()
      const caller = await world.createClient()
      const during = await world.call(gateway, caller, chatBody({ stream })).ended
      assert.equal(during.status, 200, during.text)
      assert.equal(await countOf(world.simulator), 0, 'Retry-After is respected: the first is left alone')

      await world.simulator.forget()
      await world.simulator.play(faults.serverError(500))
      for (let turn = 0; turn < failingCalls; turn += 1) {
        const seen = await world.call(gateway, caller, chatBody({ model: 'openai/gpt-4o-mini' })).ended
        assert.deepEqual([seen.status, seen.errorCode], [502, 'upstream_unavailable'], seen.text)
      }
      const retries = (await countOf(world.simulator)) - failingCalls
      assert.ok(retries > 0 && retries <= retriesMax, `${retries} retries of ${failingCalls} calls`)
    }
  },
}

async function countOf(simulator: World['simulator']): Promise<number> {
  return (await simulator.requests()).length
}

async function recordOf(
  world: World,
  id: string | null,
): Promise<{ is_failover: boolean; attempts: number } | undefined> {
  const { rows } = await world.pool.query<{ is_failover: boolean; attempts: number }>(
    'SELECT is_failover, jsonb_array_length(attempts) AS attempts FROM generations WHERE id = $1',
    [id],
  )
  return rows[0]
}

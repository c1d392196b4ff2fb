import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestCaller } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { readMetric } from '../setup/read-metric.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { startToxicsProxy, type Toxic } from '../setup/toxics-proxy.ts'
import type { World } from '../setup/world.ts'

const budgetMs = 50
// What a busy machine may add to any single call.
const noiseMs = 400

export const redisPartition: Drill = {
  name: 'redis-partition',
  requires: 'Redis slow, silent or cut off: calls lose at most 50 ms, then the process counts by itself and says so',
  async start(world) {
    await addUpstream(world)
    const proxy = await startToxicsProxy(Number(new URL(world.redis.url).port))
    world.defer(() => proxy.close())
    const gateway = await world.startGateway({ env: { WEIR_REDIS_URL: `redis://127.0.0.1:${proxy.port}` } })
    const caller = await world.createCaller()
    return async (random, point) => {
      const toxics: Toxic[] = [
        { kind: 'latency', delayMs: random.integer(80, 300) },
        { kind: 'stall' },
        { kind: 'cut' },
        { kind: 'cut-after-bytes', bytes: random.integer(1, 400) },
      ]
      const toxic = toxics[(point - 1) % toxics.length] ?? { kind: 'stall' }
      const usual = await durations(world, gateway, caller, 8)
      const degradedBefore = await readMetric(gateway, 'weir_admission_degraded_total')
      proxy.apply(toxic)
      const hurt = await durations(world, gateway, caller, 24)
      const worst = Math.max(...hurt)
      assert.ok(worst < median(usual) + budgetMs + noiseMs, `${toxic.kind}: the worst call took ${worst} ms`)
      assert.ok(median(hurt) < median(usual) + budgetMs, `${toxic.kind}: the median call took ${median(hurt)} ms`)
      assert.ok(
        (await readMetric(gateway, 'weir_admission_degraded_total')) > degradedBefore,
        `${toxic.kind} is counted`,
      )
      proxy.apply({ kind: 'pass' })
      await recover(world, gateway, caller)
    }
  },
}

async function durations(world: World, gateway: ServerProcess, caller: TestCaller, count: number): Promise<number[]> {
  const all: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const seen = await world.call(gateway, caller, chatBody()).ended
    assert.equal(seen.status, 200, seen.text)
    all.push(seen.durationMs)
  }
  return all
}

// One call a second tries Redis again, so calls must go on for the state to turn.
async function recover(world: World, gateway: ServerProcess, caller: TestCaller): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    if ((await readMetric(gateway, 'weir_admission_degraded')) === 0) return
    await wait(200)
    await world.call(gateway, caller, chatBody()).ended
  }
  throw new Error('the gateway never went back to Redis')
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

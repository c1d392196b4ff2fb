import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { median } from '../setup/median.ts'
import type { Random } from '../setup/random.ts'
import { readMetric } from '../setup/read-metric.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { startToxicsProxy, type Toxic, type ToxicsProxy } from '../setup/toxics-proxy.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

const budgetMs = 50
const rounds = 3
const callsEach = 8

interface Scene {
  world: World
  proxy: ToxicsProxy
  gateway: ServerProcess
  caller: TestClient
}

/** The delay of requests while Redis did not respond. */
interface Loss {
  firstMs: number
  laterMs: number
}

export const redisPartition: Drill = {
  name: 'redis-partition',
  requires: 'Redis slow, silent or cut off: calls lose at most 50 ms, then the process counts by itself and says so',
  async start(world) {
    await addUpstream(world)
    const proxy = await startToxicsProxy(Number(new URL(world.redis.url).port))
    world.defer(() => proxy.close())
    const gateway = await world.startGateway({ env: { WEIR_REDIS_URL: `redis://127.0.0.1:${proxy.port}` } })
    const scene = { world, proxy, gateway, caller: await world.createClient() }
    return async (random, point) => {
      const losses: Loss[] = []
      for (let round = 0; round < rounds; round += 1) losses.push(await strike(scene, toxicOf(random, point)))
      // The best of the rounds, because the machine may delay any single request.
      const firstMs = Math.min(...losses.map((loss) => loss.firstMs))
      const laterMs = Math.min(...losses.map((loss) => loss.laterMs))
      assert.ok(firstMs <= budgetMs, `the call that found out lost ${firstMs} ms: ${JSON.stringify(losses)}`)
      assert.ok(laterMs <= budgetMs, `the calls after it lost ${laterMs} ms: ${JSON.stringify(losses)}`)
    }
  },
}

function toxicOf(random: Random, point: number): Toxic {
  const toxics: Toxic[] = [
    { kind: 'latency', delayMs: random.integer(500, 3_000) },
    { kind: 'stall' },
    { kind: 'cut' },
    { kind: 'cut-after-bytes', bytes: random.integer(1, 400) },
  ]
  return toxics[(point - 1) % toxics.length] ?? { kind: 'stall' }
}

/** Only the time beyond three times the slowest preceding request counts as delay, so a busy machine does not. */
async function strike({ world, proxy, gateway, caller }: Scene, toxic: Toxic): Promise<Loss> {
  const usualMs = 3 * Math.max(...(await durations({ world, gateway, caller }, callsEach)))
  proxy.apply(toxic)
  const [firstMs = 0, ...laterMs] = await durations({ world, gateway, caller }, callsEach)
  // The test does not check whether the state just changed: on a busy machine a healthy Redis may also have been too
  // slow.
  assert.equal(await readMetric(gateway, 'weir_admission_degraded'), 1, `${toxic.kind}: the gateway says so`)
  assert.ok((await readMetric(gateway, 'weir_admission_fallbacks_total')) > 0, `${toxic.kind} is counted`)
  proxy.apply({ kind: 'pass' })
  // One request per second retries Redis, so requests must continue for the state to change.
  await until(async () => {
    await durations({ world, gateway, caller }, 1)
    return (await readMetric(gateway, 'weir_admission_degraded')) === 0 ? null : 'the gateway did not go back to Redis'
  })
  return { firstMs: firstMs - usualMs, laterMs: median(laterMs) - usualMs }
}

async function durations({ world, gateway, caller }: Omit<Scene, 'proxy'>, count: number): Promise<number[]> {
  const all: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    const seen = await world.call(gateway, caller, chatBody()).ended
    assert.equal(seen.status, 200, seen.text)
    all.push(seen.durationMs)
  }
  return all
}

import assert from 'node:assert/strict'
import type { TestClient } from '#test/setup/accounts.ts'
import type { SpawnedSimulator } from '#test/simulators/spawn-simulator.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { balanceAfter } from '../setup/balance-after.ts'
import type { Call } from '../setup/call.ts'
import { chatBody } from '../setup/chat-body.ts'
import { gatedCompletion, gatedStream } from '../setup/gated-stream.ts'
import { holdOfOneCall } from '../setup/hold-of-one-call.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import type { World } from '../setup/world.ts'

// The requests of a wallet that earn one hedge.
const earning = 20

/** When a gateway dies that serves a hedged request. */
const deaths = {
  'before the second provider is asked': `before-dispatch=exit@${earning + 2}`,
  'while both are silent': null,
  'after the first byte': null,
  'before the settle': `before-settle=exit@${earning + 1}`,
  'after the settle': `after-settle=exit@${earning + 1}`,
  never: null,
} as const
type Death = keyof typeof deaths
const kills = (Object.keys(deaths) as Death[]).filter((death) => death !== 'never')
const isCharged: ReadonlySet<Death> = new Set(['after the settle', 'never'])

export const hedging: Drill = {
  name: 'hedging',
  requires: 'a gateway killed at any step of a hedged request: one hold, charged once for the winner or not at all',
  async start(world) {
    const second = await world.startSimulator()
    await addUpstream(world)
    await addUpstream(world, { url: second.url, name: 'second', priority: 1, vendor: 'together' })
    return async (random, _point, { isShort }) => {
      await Promise.all([world.simulator.forget(), second.forget()])
      // The short form kills two gateways, because each takes seconds to start.
      const chosen = random.shuffle(kills).slice(0, isShort ? 2 : kills.length)
      const scenes = await Promise.all([...chosen, 'never' as const].map((death) => prepare(world, death)))
      const stream = random.chance(0.5)
      const hold = await holdOfOneCall(world, scenes.at(-1)?.gateway, bodyOf({ stream: true }, 60_000))
      for (const scene of scenes) {
        await strike(world, second, { scene, stream: stream || scene.death === 'after the first byte', hold })
      }
      await world.settleDown()
      const costs = new Set<bigint>()
      for (const scene of scenes) {
        const charged = await judge(world, scene)
        if (charged !== null) costs.add(charged)
      }
      assert.equal(costs.size, 1, 'a request whose gateway died after its settle costs the same')
    }
  },
}

const bodyOf = (changes: { stream: boolean }, hedgeAfterMs: number) =>
  chatBody({ ...changes, provider: { order: ['openai', 'together'], hedge_after_ms: hedgeAfterMs } })

interface Scene {
  readonly death: Death
  readonly gateway: ServerProcess
  readonly caller: TestClient
  /** The balance after the requests that earned a hedge. */
  readonly balance: string
}

/** A gateway at which a wallet has earned one hedge. */
async function prepare(world: World, death: Death): Promise<Scene> {
  const failpoint = deaths[death]
  const gateway = await world.startGateway(failpoint === null ? {} : { env: { WEIR_FAILPOINTS: failpoint } })
  const caller = await world.createClient()
  for (let request = 0; request < earning; request += 1) {
    const seen = await world.call(gateway, caller, bodyOf({ stream: false }, 60_000)).ended
    assert.equal(seen.status, 200, seen.text)
  }
  return { death, gateway, caller, balance: (await world.walletOf(caller.walletId)).balance }
}

/** Sends the hedged request, whose first provider stays silent, and kills its gateway. */
async function strike(
  world: World,
  second: SpawnedSimulator,
  { scene, stream, hold }: { scene: Scene; stream: boolean; hold: bigint },
): Promise<void> {
  const { death, gateway, caller } = scene
  const gate = `second ${death}`
  await world.simulator.playNext(gatedCompletion(`first ${death}`))
  if (death === 'while both are silent') await second.playNext(gatedCompletion(gate))
  if (death === 'after the first byte') await second.playNext(gatedStream(2, gate))
  const call = world.call(gateway, caller, bodyOf({ stream }, 50))
  await world.simulator.waitForGate(`first ${death}`)
  if (death === 'while both are silent') {
    await second.waitForGate(gate)
    assert.equal(await heldBy(world, caller), hold, 'a hedged request holds what another one holds')
    await gateway.kill()
  } else if (death === 'after the first byte') {
    await call.waitForChunks(2)
    assert.equal(await heldBy(world, caller), hold, 'the hold stays')
    await gateway.kill()
  } else if (death !== 'never') {
    await gateway.exited
  }
  await judgeAnswer(call, death)
}

async function judgeAnswer(call: Call, death: Death): Promise<void> {
  const seen = await call.ended
  if (death === 'never') assert.deepEqual([seen.status, seen.end], [200, 'complete'], seen.text)
  else assert.deepEqual([seen.costNano, seen.sawDone], [null, false], `${death}: no cost was shown`)
}

async function heldBy(world: World, { walletId }: TestClient): Promise<bigint> {
  const text = 'SELECT held_nano FROM wallets WHERE id = $1'
  const { rows } = await world.pool.query<{ held_nano: string }>(text, [walletId])
  return BigInt(rows[0]?.held_nano ?? '0')
}

/** Returns what the hedged request was charged, null if nothing. */
async function judge(world: World, { death, caller, balance: before }: Scene): Promise<bigint | null> {
  const { rows } = await world.pool.query<{ cost_nano: string; provider: string; outcomes: string[] }>(
    `SELECT cost_nano, provider, ARRAY(SELECT a->>'outcome' FROM jsonb_array_elements(attempts) AS a) AS outcomes
     FROM generations WHERE wallet_id = $1 ORDER BY settled_at DESC, id DESC`,
    [caller.walletId],
  )
  const [newest] = rows
  const { balance, held } = await world.walletOf(caller.walletId)
  assert.equal(rows.length, isCharged.has(death) ? earning + 1 : earning, death)
  if (!isCharged.has(death) || newest === undefined) {
    assert.deepEqual({ balance, held }, { balance: before, held: '0' }, `${death}: nothing is charged`)
    return null
  }
  const cost = BigInt(newest.cost_nano)
  assert.deepEqual({ balance, held }, { balance: balanceAfter(before, [cost]), held: '0' }, `${death}: charged once`)
  assert.deepEqual([newest.provider, newest.outcomes], ['together', ['hedge_lost', 'answered']])
  return cost
}

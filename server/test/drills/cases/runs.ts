import assert from 'node:assert/strict'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createClient } from '#test/setup/client.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Call, Transcript } from '../setup/call.ts'
import { chatBody } from '../setup/chat-body.ts'
import { streamPieces } from '../setup/gated-stream.ts'
import type { Random } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import type { World } from '../setup/world.ts'

const parallelCalls = 500
const budget = parseUsd('1.00')
const unusedMax = budget / 50n
const places = ['north', 'east', 'south'] as const
const body = chatBody({ stream: true })
/** A response that costs nearly what is held for it. */
const answer = goodStream({ pieces: streamPieces }, { prompt: 16, completion: 256 })

/** P1, for a run and a child run that share its budget. */
export const runs: Drill = {
  name: 'runs',
  requires:
    '500 parallel calls of a run over three gateways, one of them killed: never above its budget, less than 2 % unused',
  async start(world) {
    await addUpstream(world)
    const seats: readonly Seat[] = await Promise.all(
      places.map(async (place) => ({ place, gateway: await world.startGateway({ place }) })),
    )
    return async (random, point) => {
      const { key } = await world.createClient()
      const run = `attacked-${point}`
      await begin(random.pick(seats).gateway, key, run)
      const killed = await attack(world, random, { key, run, gate: `run-${point}`, seats })
      const survivors = seats.filter((seat) => seat !== killed).map(({ gateway }) => gateway)
      assertWithin(await readSums(world, run))
      await fill(world, random, { key, run, gateways: survivors })
      const { spent, held, recorded } = await readSums(world, run)
      assert.deepEqual([held, spent], [0n, recorded], 'the sums of the run are those of its requests')
      assert.ok(spent <= budget, `${spent} of ${budget} is spent`)
      assert.ok(budget - spent < unusedMax, `${budget - spent} of ${budget} is unused`)
      await stopEverywhere(world, { key, gate: `stop-${point}`, run: `stopped-${point}`, gateways: survivors })
      killed.gateway = await world.startGateway({ place: killed.place })
    }
  },
}

interface Seat {
  readonly place: string
  gateway: ServerProcess
}

async function begin(gateway: ServerProcess, key: string, id: string): Promise<void> {
  const client = createClient(gateway.url, { key })
  assert.equal((await client.post('/v1/runs', { id, budget: '1.00' })).status, 201)
  assert.equal((await client.post('/v1/runs', { id: `${id}-child`, parent: id })).status, 201)
}

/** All at once. Returns the gateway that was killed while it served calls that fit. */
async function attack(
  world: World,
  random: Random,
  { key, run, gate, seats }: { key: string; run: string; gate: string; seats: readonly Seat[] },
): Promise<Seat> {
  await world.simulator.forget()
  await world.simulator.play(insertAfterWrites(answer, 2, { do: 'gate', name: gate }))
  const calls = Array.from({ length: parallelCalls }, () =>
    callIn(world, random.pick(seats).gateway, key, random.pick([run, `${run}-child`])),
  )
  await Promise.all(calls.map((call) => call.waitForHead()))
  assertWithin(await readSums(world, run))
  const serving = new Set(calls.flatMap(({ soFar }) => (soFar.status === 200 ? [soFar.gateway] : [])))
  const killed = random.pick(seats.filter(({ gateway }) => serving.has(gateway.url)))
  await killed.gateway.kill()
  await world.simulator.release(gate)
  const seen = await Promise.all(calls.map((call) => call.ended))
  const refused = seen.filter(({ status }) => status !== 200)
  assert.deepEqual(new Set(refused.map(codeOf)), new Set(['402 run_budget_reached']), 'what does not fit is refused')
  assert.ok(
    seen.some(({ end }) => end === 'broken'),
    'some calls died',
  )
  await world.settleDown()
  return killed
}

/** Calls go on until none fits any more. */
async function fill(
  world: World,
  random: Random,
  { key, run, gateways }: { key: string; run: string; gateways: readonly ServerProcess[] },
): Promise<void> {
  await world.simulator.play(answer)
  let served = 0
  do {
    const wave = Array.from({ length: 60 }, () => callIn(world, random.pick(gateways), key, run).ended)
    const seen = await Promise.all(wave)
    await world.settleDown()
    assertWithin(await readSums(world, run))
    const codes = new Set(seen.map(codeOf))
    assert.deepEqual(
      [...codes].filter((code) => code !== '200 null' && code !== '402 run_budget_reached'),
      [],
    )
    served = seen.filter(({ status }) => status === 200).length
  } while (served > 0)
}

/** A stop at one gateway ends the calls at all of them. */
async function stopEverywhere(
  world: World,
  { key, gate, run, gateways }: { key: string; gate: string; run: string; gateways: readonly ServerProcess[] },
): Promise<void> {
  await world.simulator.play(insertAfterWrites(answer, 2, { do: 'gate', name: gate }))
  const calls = gateways.map((gateway) => callIn(world, gateway, key, run))
  await Promise.all(calls.map((call) => call.waitForChunks(1)))
  const client = createClient(gateways[0]?.url ?? '', { key })
  assert.equal((await client.post(`/v1/runs/${run}/stop`, { reason: 'The drill stops it.' })).status, 200)
  const seen = await Promise.all(calls.map((call) => call.ended))
  assert.deepEqual(new Set(seen.map(({ errorCode }) => errorCode)), new Set(['run_stopped']), 'all calls are told')
  const later = await Promise.all(gateways.map((gateway) => callIn(world, gateway, key, run).ended))
  assert.deepEqual(new Set(later.map(codeOf)), new Set(['402 run_stopped']), 'no gateway serves a stopped run')
  await world.simulator.release(gate)
}

function callIn(world: World, gateway: ServerProcess, key: string, run: string): Call {
  return world.call(gateway, { key, headers: { 'x-weir-run': run } }, body)
}

const codeOf = ({ status, errorCode }: Transcript): string => `${status} ${errorCode}`

interface Sums {
  readonly spent: bigint
  readonly held: bigint
  readonly recorded: bigint
}

function assertWithin({ spent, held }: Sums): void {
  assert.ok(spent + held <= budget, `${spent} spent and ${held} held of ${budget}`)
}

async function readSums(world: World, run: string): Promise<Sums> {
  const { rows } = await world.pool.query<Record<keyof Sums, string>>(
    `SELECT s.spent_nano AS spent, s.held_nano AS held,
       (SELECT coalesce(sum(g.cost_nano), 0) FROM generations g JOIN runs c ON c.id = g.run_id WHERE r.id = ANY (c.path)) AS recorded
     FROM runs r JOIN spend_windows s ON s.kind = 'run_life' AND s.owner_id = r.id WHERE r.external_id = $1`,
    [run],
  )
  const { spent = '-1', held = '-1', recorded = '-1' } = rows[0] ?? {}
  return { spent: BigInt(spent), held: BigInt(held), recorded: BigInt(recorded) }
}

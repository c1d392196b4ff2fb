import assert from 'node:assert/strict'
import type { JsonObject } from '#lib/json.ts'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import type { Call } from './call.ts'
import { chatBody } from './chat-body.ts'
import type { Random } from './random.ts'
import type { ServerProcess } from './server-process.ts'
import type { Sender, World } from './world.ts'

export const oneDollar = 1_000_000_000n
const parallelCalls = 500
// A call costs $0.0096 and holds little more, about 1 % of the limit.
const tokens = 800
// Otherwise the gateway that answers first could take the whole limit.
const firstCallsPerGateway = 8

export interface Seat {
  readonly place: string
  gateway: ServerProcess
}

/** A limit of one dollar. */
export interface AttackedLimit {
  readonly client: Sender
  /** Fields of every request. */
  readonly body?: JsonObject
  /** Status and code of requests without room, such as `402 customer_limit_reached`. */
  readonly refusal: string
  /** The sums that the limit is judged by, in nano-USD. */
  readSums(): Promise<{ readonly held: bigint; readonly spent: bigint }>
}

export async function openSeats(world: World): Promise<readonly Seat[]> {
  const places = ['north', 'east', 'south']
  return Promise.all(places.map(async (place) => ({ place, gateway: await world.startGateway({ place }) })))
}

/**
 * Sends 500 parallel calls over all gateways and kills one of them while it serves some. The limit is never exceeded,
 * and once nothing runs, later calls leave less than 2 % of it unused. Returns the nano-USD that were spent.
 */
export async function attackLimit(
  world: World,
  { random, seats, limit }: { random: Random; seats: readonly Seat[]; limit: AttackedLimit },
): Promise<bigint> {
  const gate = `attack-${random.integer(0, 1_000_000_000)}`
  await world.simulator.forget()
  await world.simulator.play(insertAfterWrites(answer(), 2, { do: 'gate', name: gate }))
  const body = chatBody({ stream: true, max_tokens: tokens, ...limit.body })
  const send = ({ gateway } = random.pick(seats)): Call => world.call(gateway, limit.client, body)
  const calls = seats.flatMap((seat) => Array.from({ length: firstCallsPerGateway }, () => send(seat)))
  await Promise.all(calls.map((call) => call.waitForHead()))
  while (calls.length < parallelCalls) calls.push(send())
  await Promise.all(calls.map((call) => call.waitForHead()))
  await assertWithin(limit, 'while requests hold all of it')
  const [killed] = random.shuffle(seats)
  assert.ok(killed !== undefined, 'there are gateways')
  await killed.gateway.kill()
  await assertWithin(limit, 'after a gateway was killed')
  await world.simulator.release(gate)
  const seen = await Promise.all(calls.map(({ ended }) => ended))
  const codes = seen.filter(({ end }) => end === 'complete').map((call) => `${call.status} ${call.errorCode}`)
  assert.deepEqual(new Set(codes), new Set(['200 null', limit.refusal]), 'calls are served or refused by the limit')
  assert.ok(
    seen.some(({ end, status }) => end === 'broken' && status === 200),
    'the killed gateway served calls',
  )
  await assertWithin(limit, 'after the settles')
  await world.settleDown()
  killed.gateway = await world.startGateway({ place: killed.place })
  return spendRest(world, { send, limit })
}

/** Sends one call after another until the limit refuses one. */
async function spendRest(world: World, { send, limit }: { send: () => Call; limit: AttackedLimit }): Promise<bigint> {
  await world.simulator.play(answer())
  for (let sent = 0; ; sent += 1) {
    assert.ok(sent < parallelCalls, 'the limit refuses at last')
    const { status, errorCode } = await send().ended
    if (status === 200) continue
    assert.equal(`${status} ${errorCode}`, limit.refusal)
    break
  }
  await world.settleDown()
  await assertWithin(limit, 'at the end')
  const { held, spent } = await limit.readSums()
  assert.equal(held, 0n, 'nothing is held when nothing runs')
  assert.ok(spent * 100n > oneDollar * 98n, `less than 2 % is left unused: ${spent} of ${oneDollar}`)
  return spent
}

async function assertWithin(limit: AttackedLimit, when: string): Promise<void> {
  const { held, spent } = await limit.readSums()
  assert.ok(held + spent <= oneDollar, `${when}: ${held} held and ${spent} spent of ${oneDollar}`)
}

function answer(): ReturnType<typeof goodStream> {
  return goodStream({}, { prompt: 16, completion: tokens })
}

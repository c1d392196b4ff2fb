import assert from 'node:assert/strict'
import { cpuMsOf } from '#test/attack/setup/cpu-of.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { chatBody } from '../setup/chat-body.ts'
import { flood, type FloodedRequest } from '../setup/flood.ts'
import { expectResourcesBack, readResources } from '../setup/process-resources.ts'
import type { Random } from '../setup/random.ts'
import { readMetric, readMetrics } from '../setup/read-metric.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

const paidPerTurn = 20
/** The share of CPU that recording may add to a flood with paid requests in it. */
const addedMax = 0.05
// Linux counts CPU in ticks of 10 ms, and other requests of the process are in no turn's favor.
const ticksMs = 20
const pairsMin = 3
const pairsMax = 15
const unknownKey = 'sk-weir-0123456789abcdef0123456789abcdef0123456789'

export const refusals: Drill = {
  name: 'refusals',
  requires:
    'a flood of refusals: each is counted, also while Postgres is away and but for the last second of a killed gateway, memory is bounded, and paid requests cost what they cost beside a flood that is not recorded',
  alone: true,
  async start(world) {
    await addUpstream(world)
    const gateways = [await world.startGateway(), await world.startGateway()]
    const payer = await world.createClient({ usd: '1000' })
    const told: string[] = []
    world.tell(() => told)
    return async (random, _point, { isShort }) => {
      const size = isShort ? 2_000 : 10_000
      const scene: Scene = { world, gateways, random, size, tell: (line) => told.push(line) }
      await countEach(scene)
      await comparePaid(scene, payer)
      await outlastPostgres(scene)
      await loseOneBatch(scene)
      await world.settleDown()
    }
  },
}

interface Scene {
  readonly world: World
  readonly gateways: readonly ServerProcess[]
  readonly random: Random
  readonly size: number
  readonly tell: (line: string) => void
}

const body = JSON.stringify(chatBody())
const unknownModel = JSON.stringify(chatBody({ model: 'openai/none' }))

/** A disabled key, an empty wallet and a model that does not exist: what the gateway answers, and how it is counted. */
async function refusedClients(world: World): Promise<readonly Refused[]> {
  const [disabled, poor, wrong] = [
    await world.createClient(),
    await world.createClient({ usd: '0' }),
    await world.createClient(),
  ]
  await world.pool.query('UPDATE api_keys SET enabled = false WHERE id = $1', [disabled.keyId])
  return [
    { client: disabled, body, status: 401, error: 'unauthenticated' },
    { client: poor, body, status: 402, error: 'insufficientCredits' },
    { client: wrong, body: unknownModel, status: 400, error: 'unknownModel' },
  ]
}

interface Refused {
  readonly client: TestClient
  readonly body: string
  readonly status: number
  readonly error: string
}

async function countedOf(world: World, { client, error }: Refused): Promise<number> {
  const { rows } = await world.pool.query<{ count: number }>(
    'SELECT coalesce(sum(count), 0)::integer AS count FROM refusal_counts WHERE key_id = $1 AND error = $2',
    [client.keyId, error],
  )
  return rows[0]?.count ?? 0
}

async function untilWritten(gateways: readonly ServerProcess[]): Promise<void> {
  await until(async () => {
    const waiting = await Promise.all(gateways.map((gateway) => readMetric(gateway, 'weir_refusals_waiting')))
    return waiting.every((count) => count === 0) ? null : `refusals still wait: ${waiting.join(', ')}`
  })
}

/** Each refusal over both gateways is counted under its reason, and few of them have a row. */
async function countEach({ world, gateways, random, size, tell }: Scene): Promise<void> {
  const clients = await refusedClients(world)
  const sent = new Map<Refused, number>()
  const { statuses, broken, ms } = await flood(size, () => {
    const refused = random.pick(clients)
    sent.set(refused, (sent.get(refused) ?? 0) + 1)
    return { url: random.pick(gateways).url, key: refused.client.key, body: refused.body }
  })
  assert.equal(broken, 0, 'every request is answered')
  await untilWritten(gateways)
  for (const refused of clients) {
    const count = sent.get(refused) ?? 0
    assert.equal(statuses.get(refused.status), count, `answers with ${refused.status}`)
    assert.equal(await countedOf(world, refused), count, `counted as ${refused.error}`)
  }
  const keyIds = clients.map(({ client }) => client.keyId)
  const text = 'SELECT count(*)::integer AS kept FROM refusals WHERE key_id = ANY ($1)'
  const { rows } = await world.pool.query<{ kept: number }>(text, [keyIds])
  const kept = rows[0]?.kept ?? 0
  assert.ok(kept > 0 && kept < size / 2, `some refusals of a flood have a row: ${kept} of ${size}`)
  tell(`${size} refusals at ${Math.round((size / ms) * 1_000)} a second, ${kept} with a row`)
}

/** Paid requests beside a flood of a known key, and of an unknown one whose refusals are not recorded, turn by turn. */
async function comparePaid({ world, gateways, size, tell }: Scene, payer: TestClient): Promise<void> {
  const [disabled] = await refusedClients(world)
  assert.ok(disabled !== undefined)
  let recorded = 0
  const turn = async (key: string): Promise<number> => {
    const before = await cpuOf(gateways)
    const flooding = flood(size, (index) => requestTo(gateways, index, { key, body }))
    for (let paid = 0; paid < paidPerTurn; paid += 1) {
      const { status, text } = await world.call(pickOf(gateways, paid), payer, chatBody()).ended
      assert.equal(status, 200, `a paid request beside the flood: ${text}`)
    }
    const { statuses } = await flooding
    assert.deepEqual([...statuses], [[401, size]])
    // Each turn ends with a record of each gateway, so that a turn with a flood of records waits no longer than others.
    await flood(gateways.length, (index) => requestTo(gateways, index, { key: disabled.client.key, body }))
    recorded += gateways.length + (key === disabled.client.key ? size : 0)
    // Postgres is asked: to write its metrics takes a gateway longer than to record a refusal.
    await until(async () => {
      const counted = await countedOf(world, disabled)
      return counted === recorded ? null : `${counted} of ${recorded} refusals are written`
    })
    return (await cpuOf(gateways)) - before
  }
  // The machine is not the same from turn to turn, so each turn is compared with the one beside it. Half of the pairs
  // must agree, because chance favors neither of the two.
  await turn(unknownKey)
  const pairs: Pair[] = []
  do {
    pairs.push({ recorded: await turn(disabled.client.key), decoy: await turn(unknownKey) })
  } while (pairs.length < pairsMin || (excessOf(pairs) > 0 && pairs.length < pairsMax))
  const shown = pairs.map(({ recorded: known, decoy }) => `${known}/${decoy}`).join(', ')
  tell(`CPU of ${size} refusals with ${paidPerTurn} paid requests, recorded/unrecorded in ms: ${shown}`)
  assert.ok(excessOf(pairs) <= 0, `recording takes more CPU than a flood that is not recorded, in ms: ${shown}`)
}

interface Pair {
  readonly recorded: number
  readonly decoy: number
}

/** The median by which recording exceeds what it may take. */
function excessOf(pairs: readonly Pair[]): number {
  const sorted = pairs
    .map(({ recorded, decoy }) => recorded - decoy * (1 + addedMax) - ticksMs)
    .toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.POSITIVE_INFINITY
}

async function cpuOf(gateways: readonly ServerProcess[]): Promise<number> {
  const each = await Promise.all(gateways.map(({ pid }) => cpuMsOf(pid)))
  return each.reduce((sum, ms) => sum + ms, 0)
}

function pickOf(gateways: readonly ServerProcess[], index: number): ServerProcess {
  const gateway = gateways[index % gateways.length]
  assert.ok(gateway !== undefined)
  return gateway
}

function requestTo(gateways: readonly ServerProcess[], index: number, sent: Omit<FloodedRequest, 'url'>) {
  return { url: pickOf(gateways, index).url, ...sent }
}

/** While Postgres is away the refusals of known keys wait in bounded memory, and are written once it is back. */
async function outlastPostgres({ world, gateways, random, size, tell }: Scene): Promise<void> {
  const [disabled, , wrong] = await refusedClients(world)
  assert.ok(disabled !== undefined && wrong !== undefined)
  const clients = [disabled, wrong]
  // Both gateways know the keys before Postgres is gone.
  const known = clients.length * gateways.length
  await flood(known, (index) => {
    const { client, body: text } = index % 2 === 0 ? disabled : wrong
    return requestTo(gateways, Math.floor(index / 2), { key: client.key, body: text })
  })
  await untilWritten(gateways)
  const before = await Promise.all(gateways.map(({ pid }) => readResources(pid)))
  await world.postgres.crash()
  const during = await flood(size, () => {
    const { client, body: text } = random.pick(clients)
    return { url: random.pick(gateways).url, key: client.key, body: text }
  })
  await world.postgres.start()
  await untilWritten(gateways)
  for (const refused of clients) {
    const answered = (during.statuses.get(refused.status) ?? 0) + gateways.length
    assert.equal(await countedOf(world, refused), answered, `${refused.error} while Postgres was away`)
  }
  for (const [position, { pid }] of gateways.entries()) {
    const resources = before[position]
    if (resources !== undefined) await expectResourcesBack(pid, resources)
  }
  tell(`${size} refusals without Postgres: ${[...during.statuses].map(String).join(' ')}`)
}

/** A killed gateway loses what it had not written, and nothing that Postgres had confirmed. */
async function loseOneBatch({ world, gateways, size, tell }: Scene): Promise<void> {
  const mortal = await world.startGateway()
  const [disabled] = await refusedClients(world)
  assert.ok(disabled !== undefined)
  const order = (): FloodedRequest => ({ url: mortal.url, key: disabled.client.key, body })
  await flood(size, order)
  await untilWritten([mortal])
  assert.equal(await countedOf(world, disabled), size, 'all are written before the last second')
  const last = await flood(Math.floor(size / 10), order)
  const [written] = await readMetrics(mortal, ['weir_refusal_records_total{outcome="written"}'])
  await mortal.kill()
  const counted = await countedOf(world, disabled)
  const answered = size + (last.statuses.get(401) ?? 0)
  assert.ok(counted >= (written ?? 0), `${written} were confirmed, ${counted} are counted`)
  assert.ok(counted <= answered, `${answered} were answered, ${counted} are counted`)
  tell(`a killed gateway lost ${answered - counted} of ${answered}`)
  assert.ok(
    gateways.every(({ isAlive }) => isAlive),
    'the other gateways live',
  )
}

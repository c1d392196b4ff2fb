import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTestClock } from '#test/setup/clock.ts'
import { readReply, type Reply } from '#test/setup/reply.ts'
import { accountSituations } from './account-situations.ts'
import { answersOfAll } from './answers.ts'
import { capabilitySituations } from './capability-situations.ts'
import { call, callOf, inferences } from './every-call.ts'
import { namingSituations } from './naming-situations.ts'
import { type OracleWorld, startOracleWorld } from './oracle-world.ts'
import { type ExpectedError, readErrors } from './read-errors.ts'
import { requestSituations, servedImage } from './request-situations.ts'
import type { Provoked, Situation } from './situation.ts'
import { goneImage, noImages, upstreamSituations } from './upstream-situations.ts'

const situations: Readonly<Record<string, Situation>> = {
  ...requestSituations,
  ...capabilitySituations,
  ...accountSituations,
  ...upstreamSituations,
  ...namingSituations,
}
const expectations = readErrors()
const titled = expectations.map((expected) => {
  const { cited, situation, status, code } = expected
  return [cited, situation, `${status} ${code}`, expected] as const
})
const rateNames = ['limit', 'remaining', 'reset']
// Fifteen seconds into a minute that does not pass: a wait for the next one is 45 s.
const clock = createTestClock('2030-01-07T12:00:15Z')
let world: OracleWorld

beforeAll(async () => {
  // Long enough for every upstream response that arrives at all.
  const patience = { WEIR_UPSTREAM_ANSWER_TIMEOUT_MS: '6000', WEIR_UPSTREAM_FIRST_BYTE_TIMEOUT_MS: '6000' }
  world = await startOracleWorld({ WEIR_LIMITS_INFERENCE_LOW: '20', ...patience }, clock)
})
afterAll(() => world.close())
afterEach(() => {
  world.recover()
  clock.forward(60_000)
})

describe('an error', () => {
  it('is expected in every situation that can be brought about, and in no other', () => {
    expect(new Set(expectations.map(({ situation }) => situation))).toEqual(new Set(Object.keys(situations)))
  })

  it('is no answer to an ordinary request', async () => {
    const client = world.as(await world.createClient())
    const served = await Promise.all(
      inferences.map(async (endpoint) => [endpoint, await call(client, endpoint)] as const),
    )
    const images = await Promise.all(
      (['chat', 'cursor', 'responses', 'messages', 'images'] as const).map(
        async (endpoint) => [endpoint, await call(client, endpoint, servedImage(endpoint))] as const,
      ),
    )
    expect(
      [...served, ...images].flatMap(([endpoint, reply]) => (reply.status < 300 ? [] : [endpoint, reply.text])),
    ).toEqual([])
  })

  it.each(titled)('%s tells that %s: %s', async (_cited, _situation, _answer, expected) => {
    const bringAbout = situations[expected.situation]
    if (bringAbout === undefined) throw new Error(`nobody knows how: ${expected.situation}`)
    const provoked = await bringAbout(world)
    const asked = world.upstream.calls.length
    try {
      expect(await mismatches(expected, provoked)).toEqual([])
    } finally {
      await provoked.undo?.()
    }
    // Errors without an upstream's fault reach no upstream and cost nothing.
    if (!(expected.situation in upstreamSituations)) expect(world.upstream.calls).toHaveLength(asked)
    if (provoked.walletId !== undefined) {
      expect(await world.walletOf(provoked.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
    }
  })
})

describe('a stream of images that has begun', () => {
  it.each([
    ['ERR-43', 'no_images', () => noImages],
    ['ERR-42', 'pipeline_error', goneImage],
  ])('[%s] tells of %s in an event, and charges nothing', async (_clause, code, answer) => {
    const caller = await world.createClient({ usd: '5' })
    const { promise: heartbeatSeen, resolve: goOn } = Promise.withResolvers<void>()
    const opened = (['images', 'edits'] as const).map((endpoint) => {
      const { path, body } = callOf(endpoint, { fields: { stream: true } })
      return world.as(caller).open('POST', path, body)
    })
    world.upstream.play(async (asked) => {
      await heartbeatSeen
      return answer(asked)
    })
    await expect.poll(() => world.upstream.calls.length).toBe(2)
    clock.forward(60_000)
    // The head of a stream is sent with its first byte, which is a heartbeat here.
    const heads = await Promise.all(opened)
    goOn()
    for (const head of heads) {
      const reply = await readReply(head)
      expect(reply.status).toBe(200)
      expect(reply.events.at(0)).toEqual({ event: 'heartbeat', data: {} })
      expect(reply.events.at(-1)).toMatchObject({
        event: 'error',
        data: { error: { code, message: expect.any(String) } },
      })
      expect(reply.events.filter(({ event }) => event !== 'heartbeat')).toHaveLength(1)
    }
    await expect.poll(() => world.walletOf(caller.walletId)).toEqual({ balance: '5', held: '0', charged: '0' })
  })
})

describe('an answer', () => {
  it('[HEAD-04] [STREAM-14] tells the rate and the id of its generation, on every endpoint of inference', async () => {
    const client = world.as(await world.createClient())
    const answers = [...(await answersOfAll(client))]
    expect(answers.map(([name, reply]) => [name, ...rateOf(reply)])).toEqual(
      answers.map(([name], index) => [name, '100000', String(99_999 - index), resetS()]),
    )
    for (const [name, { headers }] of answers) {
      const id = headers.get('x-generation-id')
      // A video has a generation once it is complete, see limits.test.ts.
      if (name.startsWith('video')) continue
      const look = async (): Promise<unknown> => {
        const { status, data } = await client.get(`/v1/generation?id=${id}`)
        return [name, status, data.id]
      }
      await expect.poll(look).toEqual([name, 200, id])
    }
  })

  it('[HEAD-04] tells the rate of account reads, which is another one', async () => {
    const { userId, key } = await world.createClient()
    const client = world.as(key)
    const manager = world.as(await world.addKey(userId, { type: 'management' }))
    const { headers } = await call(client, 'embeddings')
    const paths = [
      ...['key', 'auth/key', 'credits', 'usage', 'insights', 'orgs', 'generations'].map((name) => `/v1/${name}`),
      `/v1/generation?id=${headers.get('x-generation-id')}`,
    ]
    const told: unknown[] = []
    for (const path of paths) told.push([path, ...rateOf(await client.get(path))])
    told.push(['/v1/keys', ...rateOf(await manager.get('/v1/keys'))])
    expect(told).toEqual([...paths, '/v1/keys'].map((path, index) => [path, '600', String(599 - index), resetS()]))
  })
})

/** The end of the minute. */
function resetS(): string {
  return String(Math.ceil(clock.nowMs() / 60_000) * 60)
}

function rateOf({ headers }: Reply): (string | null)[] {
  return rateNames.map((name) => headers.get(`x-ratelimit-${name}`))
}

/** Deviations from the contract, on all endpoints. */
async function mismatches(expected: ExpectedError, provoked: Provoked): Promise<string[]> {
  const asked = expected.endpoints.map(async (endpoint) => {
    const replies = await provoked.ask(endpoint)
    if (replies.length === 0) return [`${endpoint}: nothing was asked`]
    return replies.flatMap((reply) => differences(expected, provoked, reply).map((text) => `${endpoint}: ${text}`))
  })
  return (await Promise.all(asked)).flat()
}

function differences(expected: ExpectedError, { says }: Provoked, reply: Reply): string[] {
  const { status, error, message, headers } = reply
  const rateHeaders = rateNames.filter((name) => headers.has(`x-ratelimit-${name}`))
  const wrong = {
    status: status !== expected.status,
    code: error.code !== expected.code,
    type: expected.type !== null && error.type !== expected.type,
    message: message === '' || says?.test(message) === false,
    'retry-after': expected.retryAfter !== null && headers.get('retry-after') !== expected.retryAfter,
    'rate headers': expected.hasRateHeaders !== null && rateHeaders.length !== (expected.hasRateHeaders ? 3 : 0),
    'x-should-retry':
      expected.shouldRetry !== null && (headers.get('x-should-retry') ?? 'none') !== expected.shouldRetry,
  }
  const names = Object.entries(wrong).flatMap(([name, isWrong]) => (isWrong ? [name] : []))
  const told = ['retry-after', 'x-should-retry'].map((name) => `${name} ${headers.get(name)}`)
  return names.map((name) => `${name} differs in ${status} ${reply.text.slice(0, 200)} (${told.join(', ')})`)
}

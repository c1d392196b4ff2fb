import { Redis } from 'ioredis'
import { expect } from 'vitest'
import type { Client } from '#test/setup/client.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { startVideoWorker } from '#test/videos/video-world.ts'
import { type Asked, call, callOf, type Inference } from './every-call.ts'
import type { LimitProof } from './limit-proof.ts'
import type { OracleWorld } from './oracle-world.ts'

/** Time limits. The test controls the gateway's clock; Postgres and Redis have their own. */
export const timeProofs: Readonly<Record<string, LimitProof>> = {
  'seconds of a rate window': async ({ world, clock }, value) => {
    const client = world.as(await world.createClient({ usd: '5' }))
    await Promise.all(Array.from({ length: 20 }, () => call(client, 'embeddings')))
    const status = async () => (await call(client, 'embeddings')).status
    expect(await status()).toBe(429)
    clock.forward(value * 1_000 - (clock.nowMs() % (value * 1_000)) - 1)
    expect(await status()).toBe(429)
    clock.forward(1)
    expect(await status()).toBe(200)
    clock.forward(15_000)
  },
  'seconds of silence in a chat stream': async ({ world, clock }, value) => {
    const silence = await beSilent(world)
    const client = world.as(await world.createClient())
    const opening = open(client, 'chat', { fields: { stream: true } })
    await expect.poll(() => world.upstream.calls.length).toBe(1)
    clock.forward(value * 1_000)
    const stream = await opening
    await expect.poll(stream.text).toMatch(/^:/)
    silence.end()
    await stream.ended
  },
  'seconds between heartbeats of an image stream': async ({ world, clock }, value) => {
    const silence = await beSilent(world)
    const client = world.as(await world.createClient())
    const fields = { stream: true }
    const accept = { accept: 'text/event-stream' }
    const drawn = { model: 'acme/picture', fields: { stream: true, modalities: ['image'] } }
    const openings = [
      open(client, 'images', { fields }),
      open(client, 'edits', { fields }),
      open(client, 'chat', drawn, accept),
    ]
    let beating = 0
    for (const opening of openings) void opening.then(() => (beating += 1))
    const witness = open(client, 'chat', { fields })
    await expect.poll(() => world.upstream.calls.length).toBe(4)
    // Comments in the chat streams show that the gateway checked its streams, and sent nothing to the others.
    for (const [index, seconds] of [20, 20, value - 42].entries()) {
      clock.forward(seconds * 1_000)
      const { text } = await witness
      await expect.poll(() => text().match(/^:/gm)?.length).toBe(index + 1)
    }
    expect(beating).toBe(0)
    clock.forward(2_000)
    const streams = await Promise.all(openings)
    for (const beats of [1, 2]) {
      for (const { text } of streams) await expect.poll(text).toBe('event: heartbeat\ndata: {}\n\n'.repeat(beats))
      clock.forward(value * 1_000)
    }
    silence.end()
    await Promise.all([...streams, await witness].map(({ ended }) => ended))
  },
  'seconds between two looks at a video': async ({ world }, value) => {
    // No interval is set: it is the operator's default.
    const settings = { WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1/32' }
    const worker = await startVideoWorker(world, settings)
    try {
      const client = world.as(await world.createClient())
      const submitted = await call(client, 'videos')
      const look = async () => {
        const { status, json } = await client.get(`/v1/videos/${String(submitted.json.id)}`)
        return [status, json.status]
      }
      await expect.poll(look, { interval: 200 }).toEqual([200, 'completed'])
      const order = world.orders.orders.at(-1)
      expect((order?.pollsAtMs[0] ?? 0) - (order?.takenAtMs ?? 0)).toBeGreaterThanOrEqual(value * 1_000)
      expect(order?.pollsAtMs).toHaveLength(1)
      const id = submitted.headers.get('x-generation-id')
      expect((await client.get(`/v1/generation?id=${id}`)).data.id).toBe(id)
    } finally {
      await worker.stop()
    }
  },
  'seconds for which insights are kept': async ({ world, clock }, value) => {
    const client = world.as(await world.createClient())
    const generatedAt = async () => (await client.get('/v1/insights')).json.generatedAt
    const first = await generatedAt()
    clock.forward(1_000)
    expect(await generatedAt()).toBe(first)
    const redis = new Redis(testRedisUrl())
    try {
      const names = await redis.keys(`${redisPrefixOf(world.databaseUrl)}answer:*`)
      expect(names).toHaveLength(1)
      const leftMs = await redis.pttl(names[0] ?? '')
      // The request was a moment ago, however slow the machine is.
      expect(leftMs).toBeGreaterThan((value - 60) * 1_000)
      expect(leftMs).toBeLessThanOrEqual(value * 1_000)
      await redis.del(names)
    } finally {
      redis.disconnect()
    }
    // The process also keeps the responses that long, by its own clock, in case Redis is down.
    clock.forward(value * 1_000 - 1_001)
    expect(await generatedAt()).toBe(first)
    clock.forward(1)
    expect(await generatedAt()).not.toBe(first)
  },
}

/** Makes the upstream silent until it is released, and then successful. */
async function beSilent({ upstream, answerWell }: OracleWorld): Promise<{ end(): void }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  upstream.play(async (asked, response) => {
    await promise
    return answerWell(asked, response)
  })
  return { end: resolve }
}

interface FollowedStream {
  readonly text: () => string
  readonly ended: Promise<void>
}

/** Resolves with the head of the response, which is sent with its first byte. */
async function open(client: Client, endpoint: Inference, asked: Asked, headers = {}): Promise<FollowedStream> {
  const { path, body } = callOf(endpoint, asked)
  const response = await client.open('POST', path, body, { headers })
  let text = ''
  const follow = async (): Promise<void> => {
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) text += piece
  }
  return { text: () => text, ended: follow() }
}

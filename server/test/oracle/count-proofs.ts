import { expect } from 'vitest'
import { usageOf } from '#test/chat/chat-world.ts'
import { formOf } from '#test/media/images/images-world.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import type { Client } from '#test/setup/client.ts'
import { offerFreeModel } from '#test/setup/offer-free-model.ts'
import { call, callOf, inferencePaths, inferences } from './every-call.ts'
import type { LimitProof, ProofPlace } from './limit-proof.ts'
import { type OracleWorld, talkModel } from './oracle-world.ts'

/** Limits on counts and sizes. */
export const countProofs: Readonly<Record<string, LimitProof>> = {
  'bytes of a body': async ({ world }, value) => {
    const client = world.as(await world.createClient())
    // Bodies of edits contain files, and have their own limit.
    for (const endpoint of inferences.filter((each) => each !== 'edits')) {
      const { path, body } = callOf(endpoint)
      const sized = body instanceof FormData ? recordingOf : jsonOf
      const largest = await client.post(path, ...sized(body, value))
      expect([endpoint, largest.status, largest.status < 300 ? '' : largest.text]).toEqual([
        endpoint,
        endpoint.startsWith('video') ? 202 : 200,
        '',
      ])
      const seen = world.upstream.calls.length
      const larger = await client.post(path, ...sized(body, value + 1))
      expect([endpoint, larger.status, larger.error.code]).toEqual([endpoint, 413, 413])
      expect(world.upstream.calls).toHaveLength(seen)
    }
  },
  'input images of a request': async ({ world }, value) => {
    const client = world.as(await world.createClient())
    const edit = (count: number) => {
      const files = Array.from({ length: count }, () => pngOf())
      return client.post(inferencePaths.edits, formOf({ model: 'acme/picture', prompt: 'Bluer' }, files))
    }
    expect((await edit(value)).status).toBe(200)
    expect(await edit(value + 1)).toMatchObject({ status: 400, error: { code: 'too_many_images' } })
  },
  'tokens of context up to which the middle is left out': async ({ world }, value) => {
    await world.addModels([talkModel('acme/small', 'openai', value), talkModel('acme/larger', 'openai', value + 1)])
    const client = world.as(await world.createClient())
    const messages = Array.from({ length: 401 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Number ${index}: ${'the tide comes in and the boats go out again; '.repeat(10)}`,
    }))
    const ask = (model: string) => call(client, 'chat', { model, fields: { messages } })
    expect((await ask('acme/small')).status).toBe(200)
    const { messages: sent } = world.upstream.calls.at(-1)?.json ?? {}
    expect(Array.isArray(sent) && sent.length < messages.length).toBe(true)
    expect(await ask('acme/larger')).toMatchObject({ status: 400, error: { code: 'context_too_long' } })
  },
  'messages of a call to a Claude model': async ({ world }, value) => {
    await world.addModels([talkModel('anthropic/claude-heron')])
    const client = world.as(await world.createClient())
    const ask = (count: number) => {
      const messages = Array.from({ length: count }, (_, at) => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: 'x',
      }))
      return call(client, 'chat', { model: 'anthropic/claude-heron', fields: { messages } })
    }
    expect((await ask(value)).status).toBe(200)
    expect((await ask(value + 1)).status).toBe(400)
  },
  'documents of a rerank request': async ({ world }, value) => {
    const client = world.as(await world.createClient())
    const ask = (count: number) =>
      call(client, 'rerank', { fields: { documents: Array.from({ length: count }, () => 'A heron') } })
    expect((await ask(value)).status).toBe(200)
    expect((await ask(value + 1)).status).toBe(400)
  },
  'greatest top_logprobs': async ({ world }, value) => {
    await world.addModels([talkModel('openai/gpt-heron')])
    const client = world.as(await world.createClient())
    const ask = async (count: number) => {
      const fields = { logprobs: true, top_logprobs: count }
      return (await call(client, 'chat', { model: 'openai/gpt-heron', fields })).status
    }
    expect([await ask(-1), await ask(0), await ask(value), await ask(value + 1)]).toEqual([400, 200, 200, 400])
  },
  'free requests a minute of a free model': async ({ world }, value) => {
    const countFree = await freeCalls(world, { model: 'acme/minute', usd: '25' })
    expect(await countFree(value + 1)).toBe(value)
  },
  'free requests a day without credit': (place, value) =>
    proveFreeDay(place, value, { model: 'acme/poor-day', usd: '0' }),
  'free requests a day of a funded user': (place, value) =>
    proveFreeDay(place, value, { model: 'acme/funded-day', usd: '25' }),
  'content-filter rules of an organization': async ({ world }, value) => {
    const { base, admin } = await administrator(world)
    const add = () =>
      admin.post(`${base}/content-filters`, {
        name: 'Falcon',
        action: 'flag',
        matcher: { kind: 'keyword', keyword: 'falcon' },
      })
    for (let count = 0; count < value; count += 1) expect((await add()).status).toBe(201)
    expect((await add()).status).toBe(400)
  },
  'requests a minute with less than $10': async ({ world }, value) => {
    const client = world.as(await world.createClient({ usd: '9.99' }))
    const served = await Promise.all(Array.from({ length: value }, () => call(client, 'embeddings')))
    expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200]))
    expect((await call(client, 'embeddings')).status).toBe(429)
  },
  'requests a minute from $10 on': async ({ world }, value) => {
    const client = world.as(await world.createClient({ usd: '10' }))
    expect(limitTold(await call(client, 'embeddings'))).toBe(value)
  },
  'account reads a minute': async ({ world }, value) => {
    const client = world.as(await world.createClient({ usd: '0' }))
    expect(limitTold(await client.get('/v1/credits'))).toBe(value)
  },
  'models in an allow-list': async (place, value) => {
    const { patch } = await allowList(place)
    const entries = Array.from({ length: value + 1 }, (_, index) => `acme/model-${index}`)
    expect((await patch(entries.slice(0, value))).status).toBe(200)
    expect((await patch(entries)).status).toBe(400)
  },
  'characters of an entry in an allow-list': async (place, value) => {
    const { patch } = await allowList(place)
    expect((await patch([`acme/${'x'.repeat(value - 5)}`])).status).toBe(200)
    expect((await patch([`acme/${'x'.repeat(value - 4)}`])).status).toBe(400)
  },
  'USD a minute of a spend breaker': async (place, value) => {
    expect(await breakerOf(place)).toMatchObject({ cbEnabled: false, cbMinuteUsd: value })
  },
  'USD an hour of a spend breaker': async (place, value) => {
    expect(await breakerOf(place)).toMatchObject({ cbEnabled: false, cbHourlyUsd: value })
  },
  'least cents of a personal spend breaker': async ({ world }, value) => {
    const { userId } = await world.createClient()
    const manager = world.as(await world.addKey(userId, { type: 'management' }))
    for (const field of ['cbMinuteUsd', 'cbHourlyUsd']) {
      const patch = (cents: number) => manager.patch('/api/user/circuit-breaker', { [field]: cents / 100 })
      expect((await patch(value)).status).toBe(200)
      expect((await patch(value - 0.1)).status).toBe(400)
    }
  },
}

type SizedBody = [body: string | Uint8Array<ArrayBuffer>, options?: { headers: Record<string, string> }]

/** JSON of this many bytes: trailing spaces change nothing. */
function jsonOf(body: object, byteCount: number): SizedBody {
  return [JSON.stringify(body).padEnd(byteCount)]
}

/** A form of this many bytes: silence at the end of a recording does not matter. */
function recordingOf(_form: object, byteCount: number): SizedBody {
  const boundary = 'weir-limits'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\nacme/whisper\r\n--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.mp3"\r\ncontent-type: audio/mpeg\r\n\r\nID3`
  const tail = `\r\n--${boundary}--\r\n`
  const silence = Buffer.alloc(byteCount - head.length - tail.length)
  const bytes = new Uint8Array(Buffer.concat([Buffer.from(head), silence, Buffer.from(tail)]))
  return [bytes, { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } }]
}

function limitTold({ headers }: { headers: Headers }): number {
  return Number(headers.get('x-ratelimit-limit'))
}

async function administrator(world: OracleWorld): Promise<{ base: string; admin: Client }> {
  const { id } = await world.createOrganization()
  const { userId } = await world.addMember(id, { role: 'org_admin' })
  return { base: `/api/orgs/${id}`, admin: world.as(await world.addKey(userId, { type: 'management' })) }
}

/** Sends concurrent requests to a free model, and counts the free ones. */
async function freeCalls(world: OracleWorld, { model, usd }: FreeCaller): Promise<(times: number) => Promise<number>> {
  await world.addModels([talkModel(model)])
  await offerFreeModel(world, model)
  const client = world.as(await world.createClient({ usd }))
  return async (times) => {
    const replies = await Promise.all(Array.from({ length: times }, () => call(client, 'chat', { model })))
    return replies.filter((reply) => reply.status === 200 && usageOf(reply).cost === 0).length
  }
}

/** Ten per minute until the day is used up, and none in the minute after that. */
async function proveFreeDay({ world, clock }: ProofPlace, value: number, caller: FreeCaller): Promise<void> {
  const countFree = await freeCalls(world, caller)
  for (let served = 0; served < value; served += 10) {
    expect([served, await countFree(10)]).toEqual([served, 10])
    clock.forward(60_000)
  }
  expect(await countFree(1)).toBe(0)
}

interface FreeCaller {
  readonly model: string
  readonly usd: string
}

async function allowList({ world }: ProofPlace) {
  const { base, admin } = await administrator(world)
  return { patch: (allowedModels: string[]) => admin.patch(`${base}/allowed-models`, { allowedModels }) }
}

async function breakerOf({ world }: ProofPlace): Promise<unknown> {
  const { base, admin } = await administrator(world)
  return (await admin.get(`${base}/circuit-breaker`)).json.resolvedSettings
}

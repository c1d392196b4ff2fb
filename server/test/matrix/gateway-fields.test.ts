import { describe, expect, it } from 'vitest'
import type { MediaDialect } from '#dialects/dialect.ts'
import { embeddingsDialect } from '#dialects/embeddings/embeddings-dialect.ts'
import { imagesDialect } from '#dialects/images/images-dialect.ts'
import { rerankDialect } from '#dialects/rerank/rerank-dialect.ts'
import { speechDialect } from '#dialects/speech/speech-dialect.ts'
import { videosDialect } from '#dialects/videos/videos-dialect.ts'
import { assert } from '#lib/assert.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { pairOf, relayedBody } from '#pipeline/dispatch/answer/pair.ts'
import type { Target } from '#providers/protocol.ts'
import { findVendor } from '#providers/registry.ts'
import { relays } from '#providers/relay.ts'
import type { ConversationName } from './axes.ts'
import { dialects } from './dialects.ts'

const fields: JsonObject = {
  models: ['other/model'],
  provider: { order: ['openai'] },
  route: 'fallback',
  transforms: ['middle-out'],
  usage: { include: true },
  max_cost_usd: 0.5,
}

const bodies: Readonly<Record<ConversationName, JsonObject>> = {
  chat: { messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } },
  responses: { input: 'Hi', stream_options: { include_obfuscation: false } },
  messages: { messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5, stream_options: {} },
}

/** Fields that the gateway sets itself. */
const saidByWeir = new Set(['model', 'stream', 'stream_options'])

const upstreams = ['openai', 'anthropic', 'google-ai-studio', 'amazon-bedrock', 'mistral'] as const

describe.each(['chat', 'responses', 'messages'] as const)('a field for the gateway in %s', (name) => {
  it.each(upstreams)('is neither sent to %s nor called ignored', (slug) => {
    const { sent, ignored } = ask(name, slug)
    expect(Object.keys(sent).filter((field) => field in fields)).toEqual([])
    expect(ignored.filter((field) => field in fields || saidByWeir.has(field))).toEqual([])
    expect(sent.stream_options).toEqual(
      slug === 'openai' ? expect.objectContaining({ include_usage: true }) : undefined,
    )
  })

  it('goes to a host that is a gateway itself, where the host knows it', () => {
    const { sent } = ask(name, 'openrouter')
    expect(sent.route).toBe(name === 'chat' ? 'fallback' : undefined)
    expect(sent).not.toHaveProperty('provider')
    expect(sent).not.toHaveProperty('models')
  })
})

const tasks: readonly (readonly [MediaDialect, JsonObject])[] = [
  [embeddingsDialect, { input: 'Hi' }],
  [rerankDialect, { query: 'Hi', documents: ['Hi'] }],
  [imagesDialect, { prompt: 'A tree' }],
  [speechDialect, { input: 'Hi', voice: 'alloy' }],
]

describe('a field for the gateway in media', () => {
  it.each(tasks.map(([dialect, body]) => [dialect.name, dialect, body] as const))(
    'is not among what upstreams may know of %s',
    (_name, dialect, body) => {
      const { media } = dialect.parse({ model: 'maker/model', ...body, ...fields, seed: 7 }, [])
      expect(media?.task).toHaveProperty('extras', { seed: 7 })
    },
  )

  it('is not among what upstreams may know of a video', () => {
    const { media } = videosDialect.parse({ model: 'maker/model', prompt: 'A tree', ...fields, cfg_scale: 1 }, [])
    expect(JSON.stringify(media?.task)).not.toMatch(/max_cost_usd|transforms|"usage"|"route"/)
    expect(JSON.stringify(media?.task)).toContain('cfg_scale')
  })
})

function ask(name: ConversationName, slug: string): { sent: JsonObject; ignored: readonly string[] } {
  const vendor = findVendor(slug)
  assert(vendor !== undefined, `${slug} is registered`)
  const dialect = dialects[name]
  const call = dialect.parse({ model: 'maker/model', stream: true, ...bodies[name], ...fields })
  const target: Target = {
    vendor,
    baseUrl: vendor.baseUrl ?? 'https://bedrock-runtime.eu-central-1.amazonaws.com',
    credential: 'secret',
    upstreamModel: 'model',
    openAiFamily: false,
  }
  const pair = pairOf(dialect, vendor)
  const request =
    pair.relays === null
      ? pair.protocol.buildRequest(dialect.toCanonical(call), target)
      : relays[pair.relays]({ ...call, body: relayedBody(pair, call.body) }, target)
  const sent = parseJsonObject(request.body)
  assert(sent !== undefined, 'a request is an object')
  return { sent, ignored: request.ignored }
}

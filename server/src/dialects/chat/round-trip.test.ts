import { describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import { joinChunks } from '#providers/protocols/openai/answer/join-chunks.ts'
import { openAiProtocol } from '#providers/protocols/openai/openai-protocol.ts'
import { findVendor } from '#providers/registry.ts'
import type { OpenAiVendor } from '#providers/spec.ts'
import { answers, counts, oslo, utc } from '#test/samples/answers.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
import { type VendorName, vendorNames } from '#test/simulators/vendors/vendor-style.ts'
import { bytesOf, readRecorded, recordedContext, slugOf } from '#test/streams/read-recorded.ts'
import type { ReplyContext } from '../dialect.ts'
import { chatDialect } from './chat-dialect.ts'

const context: ReplyContext = { ...recordedContext, requestBody: {} }

describe.each(vendorNames)('an answer in the form of %s', (name) => {
  it.each(answers)('[P7] [P9] [P16] is the same by way of canonical parts as passed through: $kind', (answer) => {
    const bytes = bytesOf(vendorStream(name, answer))
    const passed = readRecorded([bytes], vendorOf(name).openai)
    const written = rewritten(partsOf(bytes, vendorOf(name)))
    expect(saidIn(joinedFrom(written))).toEqual(saidIn(joinedFrom(passed.text)))
    expect(usageIn(written)).toEqual(usageIn(passed.text))
    const document = openAiProtocol.readDocument(bytesOf(vendorCompletion(name, answer)), vendorOf(name))
    assert(document.ok, 'a completion can be read')
    const rendered = chatDialect.renderDocument(document.reply, null, context)
    expect(saidIn(parseJsonObject(rendered) ?? {})).toEqual(saidIn(joinedFrom(passed.text)))
  })

  it('says the same however its bytes are cut', () => {
    const bytes = bytesOf(vendorStream(name, { kind: 'tools', calls: [oslo, utc], usage: counts }))
    const reader = openAiProtocol.createStreamReader(vendorOf(name))
    const single = [...bytes].flatMap((byte) => reader.push(Buffer.of(byte)))
    expect([...single, ...reader.end()]).toEqual(partsOf(bytes, vendorOf(name)))
  })
})

it.each(answers)('[STREAM-01] a plain vendor gives the very chunks of the passed-through stream: $kind', (answer) => {
  const bytes = bytesOf(vendorStream('generic', answer))
  const passed = readRecorded([bytes], vendorOf('generic').openai).text
  expect(bareChunks(rewritten(partsOf(bytes, vendorOf('generic'))))).toEqual(bareChunks(passed))
})

describe('[P17] the second turn', () => {
  const format = 'anthropic-claude-v1'
  const signature = 'EqQB+/=sig'
  const details = [
    { type: 'reasoning.text', text: 'Hm', signature, index: 0, format },
    { type: 'reasoning.encrypted', data: 'opaque==', index: 1, format },
  ]
  const call = { id: 'call_a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
  const message = { role: 'assistant', content: null, reasoning: 'Hm', reasoning_details: details, tool_calls: [call] }
  const completion = { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }

  it('has signatures byte-equal after a document', () => {
    const read = openAiProtocol.readDocument(Buffer.from(JSON.stringify(completion)), vendorOf('openrouter'))
    assert(read.ok, 'it can be read')
    expect(sentBack(parseJsonObject(chatDialect.renderDocument(read.reply, null, context)) ?? {})).toEqual(message)
  })

  it('has signatures byte-equal after a stream', () => {
    const deltas: JsonObject[] = [
      { role: 'assistant', content: '' },
      { reasoning: 'H', reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0, format }] },
      { reasoning: 'm', reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0, format }] },
      { reasoning_details: [{ type: 'reasoning.text', signature, index: 0, format }] },
      { reasoning_details: [details[1] ?? {}] },
      { tool_calls: [{ index: 0, ...call }] },
    ]
    const chunks: JsonObject[] = [
      ...deltas.map((delta) => ({ choices: [{ index: 0, delta, finish_reason: null }] })),
      { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    ]
    const bytes = Buffer.from(chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join(''))
    const written = rewritten(partsOf(bytes, vendorOf('openrouter')))
    expect(sentBack(joinedFrom(written))).toEqual(message)
  })
})

describe('a chat body by way of the canonical form', () => {
  it('[TOOL-01] [SCHEMA-02] [REASON-01] [REASON-02] keeps all that the contract names', () => {
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const body = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See', cache_control: { type: 'ephemeral', ttl: '1h' } },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } },
            { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
            { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' } },
            { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
            { type: 'video_url', video_url: { url: 'https://a.example/b.mp4' } },
            { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
          ],
          name: 'bo',
        },
        {
          role: 'assistant',
          content: 'Let me see.',
          name: 'al',
          tool_calls: [
            { id: 'a', type: 'function', function: { name: 'f', arguments: '{"city":"Oslo"}' } },
            { id: 'b', type: 'function', function: { name: 'f', arguments: '{"city":"Bonn"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'a', content: '1' },
        { role: 'tool', tool_call_id: 'b', content: '2' },
        { role: 'system', content: 'Now answer.' },
        { role: 'user', content: 'Go on' },
        { role: 'assistant', content: 'It is' },
      ],
      tools: [{ type: 'function', function: { name: 'f', description: 'd', parameters, strict: true } }],
      tool_choice: { type: 'function', function: { name: 'f' } },
      parallel_tool_calls: false,
      max_tokens: 9,
      n: 2,
      temperature: 0.1,
      top_p: 0.2,
      top_k: 3,
      min_p: 0.4,
      top_a: 0.5,
      frequency_penalty: 0.6,
      presence_penalty: 0.7,
      repetition_penalty: 0.8,
      seed: 9,
      stop: ['END'],
      user: 'u',
      logit_bias: { 1: 2 },
      logprobs: true,
      top_logprobs: 2,
      response_format: { type: 'json_schema', json_schema: { name: 'n', strict: true, schema: { type: 'object' } } },
      structured_outputs: true,
      plugins: [{ id: 'web' }],
      modalities: ['text', 'image'],
      image_config: { strength: 0.5 },
      input_audio: { data: 'AA==', format: 'wav' },
      reasoning_effort: 'low',
      reasoning: { effort: 'xhigh', max_tokens: 2_000, exclude: true },
      thinking: { type: 'enabled', budget_tokens: 1_024 },
      enable_thinking: true,
    }
    expect(sent({ model: 'm', ...body }, 'openrouter', 'model-x')).toEqual({ model: 'model-x', ...body, stream: false })
  })

  it.each(['auto', 'none', 'required'])('[TOOL-02] keeps the tool choice %s', (choice) => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tool_choice: choice }
    expect(sent(body, 'nebius', 'model-x').tool_choice).toBe(choice)
  })

  it('adds nothing to a bare request', () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    expect(sent({ model: 'm', messages }, 'nebius', 'model-x')).toEqual({ model: 'model-x', messages, stream: false })
  })
})

/** The upstream request after a client returns the message it received. */
function sentBack(given: JsonObject): unknown {
  const [choice] = Array.isArray(given.choices) ? given.choices : []
  assert(isJsonObject(choice), 'there is a choice')
  const result = { role: 'tool', tool_call_id: 'call_a', content: '1' }
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }, objectAt(choice, 'message'), result] }
  const { messages } = sent(body, 'openrouter', 'anthropic/claude-x')
  return Array.isArray(messages) ? messages[1] : undefined
}

function vendorOf(name: VendorName): OpenAiVendor {
  const vendor = findVendor(slugOf(name))
  assert(vendor?.protocol === 'openai', `${name} is registered`)
  return vendor
}

function partsOf(bytes: Buffer, vendor: OpenAiVendor): StreamPart[] {
  const reader = openAiProtocol.createStreamReader(vendor)
  return [...reader.push(bytes), ...reader.end()]
}

function rewritten(parts: readonly StreamPart[]): string {
  const writer = chatDialect.createWriter(context)
  let usage: UsageClasses = noUsage
  for (const part of parts) if (part.kind === 'usage-counted') usage = part.usage
  return parts.map((part) => writer.write(part)).join('') + writer.close({ usage, cost: nanoUsd(1n) })
}

function sent(body: JsonObject, slug: VendorName | 'nebius', upstreamModel: string): JsonObject {
  const vendor = findVendor(slug)
  assert(vendor !== undefined, `${slug} is registered`)
  const target = { vendor, baseUrl: null, credential: null, upstreamModel, openAiFamily: true }
  const request = openAiProtocol.buildRequest(chatDialect.toCanonical(chatDialect.parse(body)), target)
  return parseJsonObject(request.body) ?? {}
}

function chunksIn(text: string): JsonObject[] {
  const frames = text.split('\n\n').filter((frame) => frame.startsWith('data: {'))
  return frames.map((frame) => parseJsonObject(frame.slice(6)) ?? {})
}

function joinedFrom(text: string): JsonObject {
  return joinChunks(chunksIn(text))
}

function usageIn(text: string): unknown {
  return chunksIn(text).findLast(({ usage }) => usage !== undefined)?.usage
}

/** The chunks of each choice without the fields that have no canonical form. */
function bareChunks(text: string): JsonObject[] {
  const bare = chunksIn(text).map(({ service_tier: _tier, system_fingerprint: _print, choices, ...chunk }) => {
    const [choice] = Array.isArray(choices) ? choices : []
    const { logprobs: _logprobs, ...said } = isJsonObject(choice) ? choice : {}
    return { ...chunk, choice: said }
  })
  return bare.toSorted((one, other) => Number(one.choice.index) - Number(other.choice.index))
}

/** The fields of a response that a client reads. */
function saidIn({ choices }: JsonObject): unknown {
  const list = Array.isArray(choices) ? choices.filter(isJsonObject) : []
  return list.map(({ index, finish_reason: reason, message }) => {
    const { content, reasoning, tool_calls: calls } = isJsonObject(message) ? message : {}
    return { index, reason, content: content || null, reasoning, calls }
  })
}

import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { vendors } from '#providers/registry.ts'
import { recordedContext } from '#test/streams/read-recorded.ts'
import type { Answer, AnswerFailure } from '../../types.ts'
import { createResponsesRelayReader } from './responses-relay-reader.ts'

const { onResponses: openai } = vendors.openai
const { onResponses: xai } = vendors.xai
assert(openai !== undefined && xai !== undefined, 'both speak it')

interface Read {
  text: string
  answer: Answer | null
  failure: AnswerFailure | null
  openedAt: number | null
  tokens: number
}

function read(
  pieces: readonly string[],
  { stream = true, vendor = openai, excludeReasoning = false, answerBytesMax = 100_000 } = {},
): Read {
  const seen: Read = { text: '', answer: null, failure: null, openedAt: null, tokens: 0 }
  assert(vendor !== undefined, 'there is a vendor')
  const reader = createResponsesRelayReader({ ...recordedContext, excludeReasoning, answerBytesMax }, vendor, stream, {
    opened: () => {
      seen.openedAt ??= taken
    },
    bytes: (bytes) => {
      seen.text += String(bytes)
    },
    unusable: (failure) => {
      seen.failure = failure
      seen.text += reader.fail(new GatewayError('upstreamUnavailable', { message: 'It failed.' }))
    },
    done: (answer, close) => {
      seen.answer = answer
      seen.text += close(nanoUsd(1_000n))
    },
  })
  let taken = 0
  for (const piece of pieces) {
    taken += 1
    reader.data(Buffer.from(piece))
    seen.tokens = reader.outputTokensEstimate
  }
  reader.end()
  return seen
}

const frame = (event: JsonObject): string => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`
const frames = (events: readonly JsonObject[]): string[] =>
  events.map(({ type, ...rest }, index) => frame({ type: type ?? '', sequence_number: index, ...rest }))

function eventsIn({ text }: Read): JsonObject[] {
  return text
    .split('\n\n')
    .filter((block) => block.trim() !== '')
    .map((block) => {
      const [name = '', data = ''] = block.split('\n')
      const event: unknown = JSON.parse(data.slice('data: '.length))
      assert(isJsonObject(event) && name === `event: ${String(event.type)}`, 'an event is named as its type')
      return event
    })
}

const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
const message = { id: 'msg_1', type: 'message', status: 'completed', role: 'assistant', content: [] }
const thought = {
  id: 'rs_1',
  type: 'reasoning',
  summary: [{ type: 'summary_text', text: 'Hm' }],
  encrypted_content: 'gA',
}
const created = { type: 'response.created', response: { id: 'resp_u', model: 'u', status: 'in_progress', output: [] } }
const begun = { ...created, type: 'response.in_progress' }
const added = { type: 'response.output_item.added', output_index: 0, item: message }
const delta = {
  type: 'response.output_text.delta',
  item_id: 'msg_1',
  output_index: 0,
  content_index: 0,
  delta: 'Hello',
}
const completed = {
  type: 'response.completed',
  response: { id: 'resp_u', model: 'u', status: 'completed', output: [message], usage, service_tier: 'flex' },
}
const numbers = (events: readonly JsonObject[]) => events.map(({ sequence_number: number }) => number)

describe('a relayed stream of Responses', () => {
  it('passes every event, new ones too, under our id and with the cost at its end', () => {
    const novel = { type: 'response.dance.step', output_index: 0, step: { of: ['waltz'] } }
    const seen = read(frames([created, begun, added, delta, novel, completed]))
    const events = eventsIn(seen)
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      added.type,
      delta.type,
      novel.type,
      'response.completed',
    ])
    expect(numbers(events)).toEqual([0, 1, 2, 3, 4, 5])
    expect(events[3]).toMatchObject(delta)
    expect(events[4]).toMatchObject(novel)
    for (const event of [events[0], events[5]]) {
      expect(event?.response).toMatchObject({ model: recordedContext.model, created_at: recordedContext.createdS })
      expect(JSON.stringify(event)).not.toContain('resp_u')
    }
    expect(events[5]?.response).toMatchObject({
      service_tier: 'flex',
      output: [message],
      usage: { ...usage, cost: 0.000001 },
    })
    expect(seen.answer).toMatchObject({ finishReason: 'stop', nativeFinishReason: 'completed' })
    expect(seen.answer?.usage).toMatchObject({ uncachedInput: 10, textOutput: 5 })
    expect(seen.tokens).toBeGreaterThan(0)
  })

  it('begins as every stream does and counts by itself, whatever the upstream does', () => {
    const odd = [delta, { type: 'response.queued' }, delta, completed].map((event) =>
      frame({ ...event, sequence_number: 9 }),
    )
    const events = eventsIn(read([...odd]))
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual(['response.created', 'response.in_progress', delta.type])
    expect(numbers(events)).toEqual([0, 1, 2, 3, 4])
  })

  it('is kept back until something is said', () => {
    const call = { ...added, item: { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '' } }
    expect(read(frames([created, begun, added, delta, completed])).openedAt).toBe(4)
    expect(read(frames([created, { ...added, item: thought }, completed])).openedAt).toBe(3)
    const called = read(frames([created, begun, call, completed]))
    expect([called.openedAt, called.answer?.finishReason]).toEqual([3, 'tool_calls'])
    expect(read(frames([created, ...Array.from({ length: 1_005 }, () => added)])).openedAt).toBe(1_000)
  })

  it.each([
    ['an error', { type: 'error', message: 'Broke.' }, 'error'],
    ['a failed response', { type: 'response.failed', response: { error: { message: 'Broke.' } } }, 'error'],
  ])('ends with one failed response after %s', (_, failure, kind) => {
    const done = { type: 'response.output_item.done', output_index: 0, item: message }
    const seen = read(frames([created, begun, added, delta, done, failure, completed]))
    const events = eventsIn(seen)
    expect(seen.failure).toEqual({ kind, message: 'Broke.' })
    expect(numbers(events)).toEqual([0, 1, 2, 3, 4, 5])
    expect(events.at(-1)).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'server_is_overloaded', message: 'It failed.' }, output: [message] },
    })
  })

  it('that closes early has failed, and so has one that makes no sense, or none at all', () => {
    expect(read(frames([created, delta])).failure?.kind).toBe('broken')
    expect(read(['data: <html>\n\n']).failure?.kind).toBe('broken')
    expect(read([]).failure?.kind).toBe('empty')
    const drops = frames([delta]).flatMap((text) => text.match(/[^]{1,20}/g) ?? [])
    expect(read(drops, { answerBytesMax: 60 }).failure?.kind).toBe('oversize')
    expect(eventsIn(read(['data: <html>\n\n'])).map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.failed',
    ])
  })

  it('hides thoughts from who wants none', () => {
    const spoken = { type: 'response.reasoning_summary_text.delta', output_index: 0, delta: 'Hm' }
    const events = [
      created,
      begun,
      delta,
      spoken,
      { type: 'response.output_item.done', output_index: 0, item: thought },
      delta,
    ]
    const seen = read(frames([...events, { ...completed, response: { ...completed.response, output: [thought] } }]), {
      excludeReasoning: true,
    })
    expect(seen.text).not.toContain('Hm')
    expect(seen.text).toContain('gA')
    expect(numbers(eventsIn(seen))).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('seals the thoughts of others than OpenAI', () => {
    const done = { type: 'response.output_item.done', output_index: 0, item: thought }
    const last = { ...completed, response: { ...completed.response, output: [thought] } }
    expect(read(frames([done, last])).text).toContain('"encrypted_content":"gA"')
    const seen = read(frames([done, last]), { vendor: xai })
    expect(seen.text).not.toContain('"encrypted_content":"gA"')
    expect(seen.text.match(/"encrypted_content":"weir\.grok:/g)).toHaveLength(2)
  })
})

const document = (body: JsonObject): Read => read([JSON.stringify(body)], { stream: false })

describe('a relayed document of Responses', () => {
  it('gets our id, model and the cost', () => {
    const seen = document(completed.response)
    expect(JSON.parse(seen.text)).toMatchObject({
      object: 'response',
      model: recordedContext.model,
      service_tier: 'flex',
      usage: { input_tokens: 10, cost: 0.000001 },
    })
    expect(seen.answer).toMatchObject({ finishReason: 'stop' })
    const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] }
    expect(document(cut).answer).toEqual({
      usage: null,
      finishReason: 'length',
      nativeFinishReason: 'max_output_tokens',
    })
    expect(JSON.parse(document(cut).text)).toMatchObject({ usage: null, status: 'incomplete' })
  })

  it('is none where the upstream failed or sent something else', () => {
    expect(document({ status: 'failed', error: { message: 'Broke.' }, output: [] }).failure).toEqual({
      kind: 'error',
      message: 'Broke.',
    })
    expect(document({ id: 'resp_1' })).toMatchObject({
      failure: { kind: 'empty' },
      text: expect.stringContaining('event: response.failed'),
    })
    expect(read(['<html>'], { stream: false }).failure?.kind).toBe('broken')
    expect(read([], { stream: false }).failure?.kind).toBe('empty')
    expect(read(['{"a":1}'], { stream: false, answerBytesMax: 3 }).failure?.kind).toBe('oversize')
  })
})

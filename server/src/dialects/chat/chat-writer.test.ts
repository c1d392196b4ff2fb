import { describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { Charged, ReplyContext } from '../dialect.ts'
import { chatDialect } from './chat-dialect.ts'

const context: ReplyContext = {
  id: 'gen-1',
  createdS: 1_800_000_000,
  model: 'maker/model',
  requestBody: {},
  excludeReasoning: false,
}
const head = { id: 'gen-1', object: 'chat.completion.chunk', created: 1_800_000_000, model: 'maker/model' }
const charged: Charged = { usage: { ...noUsage, uncachedInput: 5, textOutput: 2 }, cost: nanoUsd(7n) }
const stop: StreamPart = { kind: 'finished', choice: 0, reason: 'stop', native: 'stop' }

function chunksOf(frames: string): JsonObject[] {
  const payloads = frames.split('\n\n').filter((frame) => frame.startsWith('data: {'))
  return payloads.map((frame) => parseJsonObject(frame.slice(6)) ?? {})
}

function written(parts: readonly StreamPart[], changes: Partial<ReplyContext> = {}): JsonObject[] {
  const writer = chatDialect.createWriter({ ...context, ...changes })
  return chunksOf(parts.map((part) => writer.write(part)).join('') + writer.close(charged))
}

function deltas(parts: readonly StreamPart[], changes: Partial<ReplyContext> = {}): unknown[] {
  const choices = written(parts, changes).flatMap(({ choices: list }) => (Array.isArray(list) ? list : []))
  return choices.filter(isJsonObject).map(({ delta }) => delta)
}

describe('a chat stream', () => {
  it('[STREAM-01] [STREAM-02] opens with the role, and ends with finish reason, usage and cost in one frame', () => {
    const writer = chatDialect.createWriter(context)
    const first = writer.write({ kind: 'text-added', choice: 0, text: 'Hel' })
    const more = writer.write({ kind: 'text-added', choice: 0, text: 'lo' })
    expect(writer.write(stop)).toBe('')
    const last = writer.close(charged)
    expect(chunksOf(first + more)).toEqual([
      { ...head, choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: { content: 'Hel' }, finish_reason: null }] },
      { ...head, choices: [{ index: 0, delta: { content: 'lo' }, finish_reason: null }] },
    ])
    expect(last.endsWith('\n\ndata: [DONE]\n\n')).toBe(true)
    expect(chunksOf(last)).toMatchObject([
      {
        ...head,
        choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
        usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7, cost: 7e-9 },
      },
    ])
  })

  it('[CHAT-42] names the finish reason of the upstream where it says more', () => {
    const [, last] = written([{ kind: 'finished', choice: 0, reason: 'stop', native: 'end_turn' }])
    expect(last?.choices).toEqual([{ index: 0, delta: {}, finish_reason: 'stop', native_finish_reason: 'end_turn' }])
  })

  it('gives every choice its role and its end, and usage once', () => {
    const chunks = written([
      { kind: 'text-added', choice: 0, text: 'a' },
      { kind: 'text-added', choice: 1, text: 'b' },
      stop,
      { ...stop, choice: 1 },
    ])
    expect(chunks.map(({ choices }) => JSON.stringify(choices))).toEqual([
      '[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]',
      '[{"index":0,"delta":{"content":"a"},"finish_reason":null}]',
      '[{"index":1,"delta":{"role":"assistant","content":""},"finish_reason":null}]',
      '[{"index":1,"delta":{"content":"b"},"finish_reason":null}]',
      '[{"index":0,"delta":{},"finish_reason":"stop"}]',
      '[{"index":1,"delta":{},"finish_reason":"stop"}]',
    ])
    expect(chunks.filter(({ usage }) => usage !== undefined)).toHaveLength(1)
  })

  it('[P16] keeps parallel calls apart, each with its identity first and with JSON to parse', () => {
    const said = deltas([
      { kind: 'tool-call-started', choice: 0, index: 0, id: 'a', name: 'f' },
      { kind: 'tool-call-started', choice: 0, index: 1, id: 'b', name: 'g' },
      { kind: 'tool-call-added', choice: 0, index: 0, json: '{"x":1}' },
      { kind: 'tool-call-added', choice: 0, index: 1, json: '' },
      { ...stop, reason: 'tool_calls' },
    ])
    const first = { index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }
    expect(said).toEqual([
      { role: 'assistant', content: null, tool_calls: [first] },
      { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"x":1}' } }] },
      { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
    ])
  })

  const thinking: StreamPart[] = [
    { kind: 'reasoning-added', choice: 0, text: 'H', format: 'anthropic' },
    { kind: 'reasoning-added', choice: 0, text: 'm', format: 'anthropic' },
    { kind: 'reasoning-signed', choice: 0, signature: 'sig+/=', format: 'anthropic' },
    { kind: 'reasoning-encrypted', choice: 0, data: 'xyz', format: 'anthropic' },
    { kind: 'reasoning-added', choice: 0, text: 's', isSummary: true, format: 'openai', id: 'rs_1' },
    { kind: 'tool-call-started', choice: 0, index: 0, id: 'a', name: 'f', signature: 'sig' },
  ]

  it('[REASON-09] [P17] shows thinking with signatures, every block under an index of its own', () => {
    const format = 'anthropic-claude-v1'
    expect(deltas(thinking).slice(1)).toEqual([
      { reasoning: 'H', reasoning_details: [{ type: 'reasoning.text', text: 'H', index: 0, format }] },
      { reasoning: 'm', reasoning_details: [{ type: 'reasoning.text', text: 'm', index: 0, format }] },
      { reasoning_details: [{ type: 'reasoning.text', signature: 'sig+/=', index: 0, format }] },
      { reasoning_details: [{ type: 'reasoning.encrypted', data: 'xyz', index: 1, format }] },
      {
        reasoning: 's',
        reasoning_details: [
          { type: 'reasoning.summary', summary: 's', id: 'rs_1', index: 2, format: 'openai-responses-v1' },
        ],
      },
      {
        tool_calls: [
          {
            index: 0,
            id: 'a',
            type: 'function',
            function: { name: 'f', arguments: '' },
            extra_content: { google: { thought_signature: 'sig' } },
          },
        ],
        reasoning_details: [
          { type: 'reasoning.encrypted', data: 'sig', id: 'a', index: 3, format: 'google-gemini-v1' },
        ],
      },
    ])
  })

  it('[P17] begins a new block behind a signature, and gives a signature without text a block of its own', () => {
    const said = deltas([
      { kind: 'reasoning-added', choice: 0, text: 'a', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 's1', format: 'anthropic' },
      { kind: 'reasoning-added', choice: 0, text: 'b', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 's2', format: 'anthropic' },
      { kind: 'reasoning-signed', choice: 0, signature: 's3', format: 'anthropic' },
    ])
    const details = said.filter(isJsonObject).flatMap(({ reasoning_details: list }) => list ?? [])
    expect(
      details.map((detail) => (isJsonObject(detail) ? [detail.index, detail.text, detail.signature] : [])),
    ).toEqual([
      [0, 'a', undefined],
      [0, undefined, 's1'],
      [1, 'b', undefined],
      [1, undefined, 's2'],
      [2, '', 's3'],
    ])
  })

  it('begins a new block of thinking behind text', () => {
    const thought: StreamPart = { kind: 'reasoning-added', choice: 0, text: 'Hm', format: 'unknown' }
    const spoken = deltas([thought, thought, { kind: 'text-added', choice: 0, text: 'So' }, thought])
    const details = spoken.filter(isJsonObject).flatMap(({ reasoning_details: list }) => list ?? [])
    expect(details.filter(isJsonObject).map(({ index }) => index)).toEqual([0, 0, 1])
  })

  it('[REASON-03] has no reasoning where the client wants none', () => {
    const said = JSON.stringify(deltas(thinking, { excludeReasoning: true }))
    expect(said).not.toContain('reasoning')
    expect(said).toContain('thought_signature')
  })

  it('[IMG-02] carries images, as bytes or as addresses, and refusals', () => {
    const said = deltas([
      { kind: 'image-added', choice: 0, source: { kind: 'data', mediaType: 'image/png', base64: 'AA==' } },
      { kind: 'image-added', choice: 0, source: { kind: 'url', url: 'https://weir.example/v1/images/proxy/t' } },
      { kind: 'refusal-added', choice: 0, text: 'No.' },
    ])
    expect(said.slice(1)).toEqual([
      { images: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      { images: [{ type: 'image_url', image_url: { url: 'https://weir.example/v1/images/proxy/t' } }] },
      { refusal: 'No.' },
    ])
  })

  it('passes on what only hosts of its own kind say', () => {
    const annotations = [{ type: 'url_citation' }]
    const part = (protocol: string): StreamPart => ({
      kind: 'opaque-added',
      choice: 0,
      part: { kind: 'opaque', protocol, value: { annotations } },
    })
    expect(deltas([part('anthropic'), part('openai')]).slice(1)).toEqual([{ annotations }])
  })

  it('[STREAM-07] fails with one frame and the end mark, in whatever state it is', () => {
    const writer = chatDialect.createWriter(context)
    const frames = writer.fail(new GatewayError('upstreamUnavailable', { message: 'Gone.' }))
    expect(chunksOf(frames)).toMatchObject([{ error: { message: 'Gone.' } }])
    expect(frames.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('shows no usage where there was none', () => {
    const writer = chatDialect.createWriter(context)
    expect(writer.close(null)).toBe('data: [DONE]\n\n')
    writer.write(stop)
    expect(writer.close(null)).not.toContain('usage')
  })
})

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OpaquePart, Part, ReasoningPart } from '#domain/inference/parts.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { readAsClient } from './fixtures/read-as-client.ts'
import { replyContext } from './fixtures/reply-context.ts'
import { messagesDialect } from './messages-dialect.ts'

/** The assistant's parts in the next request, after a client stored and returned the message. */
function secondTurn(message: JsonObject): readonly Part[] {
  const body = {
    model: 'maker/model',
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: message.content ?? [] },
    ],
  }
  const call = messagesDialect.toCanonical(messagesDialect.parse(parseJsonObject(JSON.stringify(body)) ?? {}))
  return call.turns[1]?.parts ?? []
}

function throughDocument(parts: readonly Part[]): readonly Part[] {
  const reply = { choices: [{ parts, finishReason: 'stop', nativeFinishReason: null }], usage: null } as const
  return secondTurn(parseJsonObject(messagesDialect.renderDocument(reply, null, replyContext)) ?? {})
}

function throughStream(parts: readonly StreamPart[]): readonly Part[] {
  const writer = messagesDialect.createWriter(replyContext)
  return secondTurn(readAsClient(parts.map((part) => writer.write(part)).join('') + writer.close(null)))
}

const thoughts: readonly (readonly [string, ReasoningPart])[] = [
  ['signed by Anthropic', { kind: 'reasoning', text: 'Hm', signature: 'EqQB+/==', format: 'anthropic' }],
  ['signed by Anthropic, not shown', { kind: 'reasoning', text: '', signature: 'EqQB', format: 'anthropic' }],
  ['redacted by Anthropic', { kind: 'reasoning', text: '', encrypted: 'cmVk+/==', format: 'anthropic' }],
  ['signed by Google', { kind: 'reasoning', text: 'Hm', signature: 'CtQB+/==', format: 'google' }],
  ['signed by Google, not shown', { kind: 'reasoning', text: '', signature: 'Ct"é\n', format: 'google' }],
  [
    'summarised and encrypted by OpenAI',
    { kind: 'reasoning', text: 'Hm', isSummary: true, encrypted: 'gAAA', id: 'rs_1', format: 'openai' },
  ],
  ['encrypted by OpenAI', { kind: 'reasoning', text: '', encrypted: 'gAAA', id: 'rs_1', format: 'openai' }],
  ['of a maker who signs nothing', { kind: 'reasoning', text: 'Hm', format: 'unknown' }],
]

function streamed({ text, format, isSummary, id, signature, encrypted }: ReasoningPart): StreamPart[] {
  const named = id === undefined ? {} : { id }
  const parts: StreamPart[] = []
  for (const piece of text) {
    const summary = isSummary === undefined ? {} : { isSummary }
    parts.push({ kind: 'reasoning-added', choice: 0, text: piece, format, ...summary, ...named })
  }
  if (signature !== undefined) parts.push({ kind: 'reasoning-signed', choice: 0, signature, format })
  if (encrypted !== undefined) parts.push({ kind: 'reasoning-encrypted', choice: 0, data: encrypted, format, ...named })
  return parts
}

describe.each(thoughts)('[P17] thinking %s', (_name, thought) => {
  const answer: Part = { kind: 'text', text: 'Hello' }

  it('comes back as it was from a document', () => {
    expect(throughDocument([thought, answer])).toEqual([thought, answer])
  })

  it('comes back as it was from a stream', () => {
    const parts: StreamPart[] = [...streamed(thought), { kind: 'text-added', choice: 0, text: 'Hello' }]
    expect(throughStream(parts)).toEqual([thought, answer])
  })
})

describe('[P17] a signature on a tool call', () => {
  it('comes back with the call, whatever its bytes and its id, and results find their calls', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1 }),
      fc.constantFrom('call_1', 'functions.get:0', 'a-weir-b', 'x-weir', 'ü'),
    )
    fc.assert(
      fc.property(id, fc.option(fc.string(), { nil: undefined }), (callId, signature) => {
        const call: Part = {
          kind: 'tool-call',
          id: callId,
          name: 'get',
          argumentsJson: '{"a":1}',
          ...(signature === undefined ? {} : { signature }),
        }
        expect(throughDocument([call])).toEqual([call])
        const started: StreamPart = { ...call, kind: 'tool-call-started', choice: 0, index: 0 }
        expect(throughStream([started, { kind: 'tool-call-added', choice: 0, index: 0, json: '{"a":1}' }])).toEqual([
          call,
        ])
        const writer = messagesDialect.createWriter(replyContext)
        const shown = /"tool_use","id":"([^"]*)"/.exec(writer.write(started))?.[1] ?? ''
        expect(shown).toMatch(/^[a-zA-Z0-9_-]+$/)
        const [result] = resultOf(shown)
        expect(result).toMatchObject({ kind: 'tool-result', callId })
      }),
      { numRuns: 200 },
    )
  })

  it('leaves plain ids as they are', () => {
    const [call] = throughDocument([{ kind: 'tool-call', id: 'toolu_01', name: 'get', argumentsJson: '' }])
    expect(call).toEqual({ kind: 'tool-call', id: 'toolu_01', name: 'get', argumentsJson: '{}' })
    expect(resultOf('toolu_x-weir-!damaged')).toMatchObject([{ callId: 'toolu_x-weir-!damaged' }])
  })
})

it('[P16] parallel calls of a document stay as many, each with its own arguments and signature', () => {
  const calls = Array.from({ length: 5 }, (_, at): Part => {
    const signed = at % 2 === 0 ? { signature: `sig-${at}` } : {}
    return { kind: 'tool-call', id: `call_${at}`, name: 'get', argumentsJson: `{"n":${at}}`, ...signed }
  })
  expect(throughDocument(calls)).toEqual(calls)
})

it('parts that only another vendor knows come back to it, and Anthropic sees its own as they were', () => {
  const foreign: OpaquePart = { kind: 'opaque', protocol: 'gemini', value: { executableCode: { code: 'print(1)' } } }
  const own: OpaquePart = { kind: 'opaque', protocol: 'anthropic', value: { type: 'compaction', content: 'x' } }
  expect(throughDocument([foreign, own])).toEqual([foreign, own])
  expect(throughStream([foreign, own].map((part) => ({ kind: 'opaque-added', choice: 0, part })))).toEqual([
    foreign,
    own,
  ])
})

it('seals that came back damaged are thinking of nobody, not a failure', () => {
  for (const signature of ['weir.', 'weir.google:', 'weir.opaque:e30', 'weir.google:%%%', 'weir.other:e30']) {
    const content = [{ type: 'thinking', thinking: 'Hm', signature }]
    expect(secondTurn({ content })).toMatchObject([{ kind: 'reasoning', text: 'Hm' }])
  }
})

function resultOf(id: string): readonly Part[] {
  return secondTurn({ content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] })
}

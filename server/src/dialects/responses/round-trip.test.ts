import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ReplyContext } from '#dialects/dialect.ts'
import type { OpaquePart, Part, ReasoningPart, ToolCallPart } from '#domain/inference/parts.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { JsonObject } from '#lib/json.ts'
import { readEvents } from './fixtures/read-events.ts'
import { responsesDialect } from './responses-dialect.ts'

const call: ToolCallPart = { kind: 'tool-call', id: 'toolu_1', name: 'f', argumentsJson: '{"a":1}' }

const histories: readonly [string, readonly Part[]][] = [
  ['anthropic', [{ kind: 'reasoning', text: 'Hm.\n', signature: 'EqQB+/==', format: 'anthropic' }, call]],
  ['anthropic, redacted', [{ kind: 'reasoning', text: '', encrypted: 'EmwK', format: 'anthropic' }, call]],
  ['anthropic, display omitted', [{ kind: 'reasoning', text: '', signature: 'EqQB', format: 'anthropic' }, call]],
  [
    'anthropic, interleaved',
    [
      { kind: 'reasoning', text: 'A', signature: 'S1', format: 'anthropic' },
      { kind: 'reasoning', text: 'B', signature: 'S2', format: 'anthropic' },
      { kind: 'text', text: 'Wait.' },
      { kind: 'reasoning', text: 'C', signature: 'S3', format: 'anthropic' },
      call,
    ],
  ],
  [
    'google',
    [
      { kind: 'reasoning', text: '**Plan**', isSummary: true, format: 'google', signature: 'R29v' },
      { ...call, id: 'call_g', signature: 'RW5j+/=é' },
      { ...call, id: 'call_h' },
    ],
  ],
  [
    'openai',
    [{ kind: 'reasoning', text: 'S', isSummary: true, encrypted: 'gAAA', id: 'rs_abc', format: 'openai' }, call],
  ],
  ['openai without an id', [{ kind: 'reasoning', text: '', encrypted: 'gAAA', format: 'openai' }, call]],
  ['a vendor that signs nothing', [{ kind: 'reasoning', text: 'Long thought', format: 'unknown' }, call]],
  [
    'a block that one vendor knows',
    [{ kind: 'opaque', protocol: 'anthropic', value: { type: 'server_tool_use', id: 's' } }, call],
  ],
  [
    'a picture',
    [
      { kind: 'image', source: { kind: 'data', mediaType: 'image/webp', base64: 'AAAA' } },
      { kind: 'text', text: 'See.' },
    ],
  ],
]

function contextOf(fields: Partial<ReplyContext> = {}): ReplyContext {
  return { id: 'gen-1', createdS: 1, model: 'm', requestBody: {}, excludeReasoning: false, ...fields }
}

function documentOutput(parts: readonly Part[], context: ReplyContext): JsonObject[] {
  const choices = [{ parts, finishReason: 'stop', nativeFinishReason: null } as const]
  return JSON.parse(responsesDialect.renderDocument({ choices, usage: null }, null, context)).output
}

function streamOutput(parts: readonly Part[], context: ReplyContext): JsonObject[] {
  const writer = responsesDialect.createWriter(context)
  let frames = ''
  for (const part of streamed(parts)) frames += writer.write(part)
  const last = readEvents(frames + writer.close(null)).at(-1)
  return last?.response?.output ?? []
}

/** The same output as a stream, with every text in two pieces. */
function streamed(parts: readonly Part[]): StreamPart[] {
  const events: StreamPart[] = []
  let index = 0
  for (const part of parts) {
    if (part.kind === 'text') events.push({ kind: 'text-added', choice: 0, text: part.text })
    else if (part.kind === 'reasoning') events.push(...streamedReasoning(part))
    else if (part.kind === 'opaque') events.push({ kind: 'opaque-added', choice: 0, part })
    else if (part.kind === 'image') events.push({ kind: 'image-added', choice: 0, source: part.source })
    else if (part.kind === 'tool-call') {
      const { id, name, signature, argumentsJson } = part
      const signed = signature === undefined ? {} : { signature }
      events.push({ kind: 'tool-call-started', choice: 0, index, id, name, ...signed })
      events.push({ kind: 'tool-call-added', choice: 0, index, json: argumentsJson.slice(0, 2) })
      events.push({ kind: 'tool-call-added', choice: 0, index, json: argumentsJson.slice(2) })
      index += 1
    }
  }
  return [...events, { kind: 'finished', choice: 0, reason: 'tool_calls', native: null }]
}

function streamedReasoning(part: ReasoningPart): StreamPart[] {
  const { text, isSummary, signature, encrypted, id, format } = part
  const known = { ...(id === undefined ? {} : { id }), ...(isSummary === undefined ? {} : { isSummary }) }
  const events: StreamPart[] = []
  for (const piece of [text.slice(0, 2), text.slice(2)]) {
    if (piece !== '') events.push({ kind: 'reasoning-added', choice: 0, text: piece, format, ...known })
  }
  if (signature !== undefined) events.push({ kind: 'reasoning-signed', choice: 0, signature, format })
  if (encrypted !== undefined) {
    events.push({
      kind: 'reasoning-encrypted',
      choice: 0,
      data: encrypted,
      format,
      ...(id === undefined ? {} : { id }),
    })
  }
  return events
}

/** The parts of the next request's items. `leaveOutIds` omits `id`, as some clients do. */
function returned(output: readonly JsonObject[], leaveOutIds = false): readonly Part[] {
  const items = output.map((item) => (leaveOutIds && item.type === 'function_call' ? { ...item, id: undefined } : item))
  const results = output.flatMap((item) =>
    item.type === 'function_call' ? [{ type: 'function_call_output', call_id: item.call_id, output: 'ok' }] : [],
  )
  const input: JsonObject[] = [{ role: 'user', content: 'Go' }, ...items, ...results]
  const { turns } = responsesDialect.toCanonical(responsesDialect.parse({ model: 'm', input }))
  const calls = turns[1]?.parts.flatMap((part) => (part.kind === 'tool-call' ? [part.id] : []))
  const answers = turns[2]?.parts.flatMap((part) => (part.kind === 'tool-result' ? [part.callId] : []))
  expect(answers ?? []).toEqual(calls)
  return turns[1]?.parts ?? []
}

function isSigned(part: Part): boolean {
  return part.kind !== 'reasoning' || part.format !== 'unknown'
}

describe('an answer that returns as history', () => {
  it.each(histories)('[P17] of %s is byte-equal, whole or streamed', (_, parts) => {
    expect(returned(documentOutput(parts, contextOf()))).toEqual(parts)
    expect(returned(streamOutput(parts, contextOf()), true)).toEqual(parts)
  })

  it.each(histories)('[P17] of %s is byte-equal where encrypted reasoning was asked for', (_, parts) => {
    const context = contextOf({ requestBody: { include: ['reasoning.encrypted_content'] } })
    expect(returned(streamOutput(parts, context))).toEqual(parts)
  })

  it('[P17] keeps signatures even where reasoning is hidden, and hides what has none', () => {
    const context = contextOf({ excludeReasoning: true })
    for (const [, parts] of histories) {
      const output = documentOutput(parts, context)
      expect(output).toEqual(streamOutput(parts, context))
      expect(JSON.stringify(output)).not.toContain('summary_text')
      expect(returned(output)).toEqual(parts.filter(isSigned))
    }
  })

  it('[P17] returns any signature over any text', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 })
    fc.assert(
      fc.property(
        text,
        text,
        fc.constantFrom('anthropic', 'google', 'openai', 'grok', 'unknown'),
        (said, signature, format) => {
          const parts: Part[] = [
            { kind: 'reasoning', text: said, signature, format },
            { ...call, signature },
          ]
          expect(returned(documentOutput(parts, contextOf()))).toEqual(parts)
          expect(returned(streamOutput(parts, contextOf()))).toEqual(parts)
        },
      ),
    )
  })

  it('looks the same whole and streamed', () => {
    for (const [, parts] of histories) {
      expect(documentOutput(parts, contextOf())).toEqual(streamOutput(parts, contextOf()))
    }
  })

  it('carries a signature in characters that are safe in ids', () => {
    const [item] = documentOutput([{ ...call, signature: 'a+/= "é\n' }], contextOf())
    expect(item?.call_id).toMatch(/^toolu_1[A-Za-z0-9_-]+$/)
  })

  it('survives damage: an envelope that cannot be opened leaves only its summary', () => {
    const item = { type: 'reasoning', id: 'rs_weir_1_0', encrypted_content: 'weir.anthropic:%%%' }
    const summary = [{ type: 'summary_text', text: 'Hm' }]
    expect(returned([{ ...item, summary }])).toEqual([{ kind: 'reasoning', text: 'Hm', format: 'unknown' }])
    expect(
      returned([
        { ...item, summary: [] },
        { type: 'message', role: 'assistant', content: 'A' },
      ]),
    ).toEqual([{ kind: 'text', text: 'A' }])
  })

  it('[LIMIT-13] opens no envelope with more levels than a body may have', () => {
    const bytes = Buffer.from(`{"protocol":"anthropic","value":${'['.repeat(100)}${']'.repeat(100)}}`)
    const encrypted_content = `weir.opaque:${bytes.toString('base64')}`
    const message = { type: 'message', role: 'assistant', content: 'A' }
    expect(returned([{ type: 'reasoning', summary: [], encrypted_content }, message])).toEqual([
      { kind: 'text', text: 'A' },
    ])
  })

  it('gives what is foreign back to its own protocol alone', () => {
    const opaque: OpaquePart = { kind: 'opaque', protocol: 'anthropic', value: { type: 'x', list: [1, null] } }
    const [item] = documentOutput([opaque], contextOf())
    expect(item).toMatchObject({ type: 'reasoning', summary: [] })
  })
})

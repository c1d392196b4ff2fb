import { describe, expect, it } from 'vitest'
import { splitReply } from '#domain/inference/split-reply.ts'
import type { Part, ReasoningPart } from '#domain/inference/parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import { type JsonObject, objectAt, objectsIn, parseJsonObject, stringAt } from '#lib/json.ts'
import { recordedContext } from '#test/streams/read-recorded.ts'
import type { ReplyContext } from '../dialect.ts'
import { assistantParts } from './assistant-parts.ts'
import { chatDialect } from './chat-dialect.ts'

const context: ReplyContext = { ...recordedContext, requestBody: {} }
const thought = (text: string): ReasoningPart => ({
  kind: 'reasoning',
  text,
  signature: `s-${text}`,
  format: 'anthropic',
})
const hidden: ReasoningPart = { kind: 'reasoning', text: '', encrypted: 'opaque==', format: 'anthropic' }
const text = (said: string): Part => ({ kind: 'text', text: said })
const call: Part = { kind: 'tool-call', id: 'c1', name: 'f', argumentsJson: '{}' }
const replyOf = (parts: readonly Part[]): CanonicalReply => ({
  choices: [{ parts: [...parts], finishReason: 'tool_calls', nativeFinishReason: null }],
  usage: null,
})

/** The message that a client stores from a JSON response. */
function documented(parts: readonly Part[]): JsonObject {
  const [choice = {}] = objectsIn(
    parseJsonObject(chatDialect.renderDocument(replyOf(parts), null, context))?.['choices'],
  )
  return objectAt(choice, 'message')
}

/** The message that a client stores from a stream: texts and calls joined, details unchanged. */
function streamed(parts: readonly Part[]): JsonObject {
  const writer = chatDialect.createWriter(context)
  const frames = [...splitReply(replyOf(parts))].map((part) => writer.write(part)).join('') + writer.close(null)
  const deltas = frames.split('\n\n').flatMap((frame) => {
    const [choice = {}] = objectsIn(parseJsonObject(frame.replace('data: ', ''))?.['choices'])
    return [objectAt(choice, 'delta')]
  })
  const calls = deltas.flatMap((delta) => objectsIn(delta.tool_calls)).filter(({ id }) => id !== undefined)
  return {
    role: 'assistant',
    content: deltas.map((delta) => stringAt(delta, 'content') ?? '').join(''),
    reasoning_details: deltas.flatMap((delta) => objectsIn(delta.reasoning_details)),
    tool_calls: calls.map((each) => ({ ...each, function: { name: 'f', arguments: '{}' } })),
  }
}

describe('V4: what a model thought between what it said', () => {
  it.each<[string, Part[]]>([
    ['before all', [thought('A'), text('one'), call]],
    ['in between', [thought('A'), text('one'), thought('B'), text('two'), call]],
    ['twice in between', [text('one'), thought('A'), thought('B'), text('two'), thought('C'), text('three'), call]],
    ['at the end', [thought('A'), text('one'), thought('B'), call]],
    ['unseen', [thought('A'), text('one'), hidden, text('two'), call]],
    ['with letters of two units', [text('😀é'), thought('A'), text('two'), call]],
  ])('comes back in its place: %s', (_name, parts) => {
    expect(assistantParts(documented(parts))).toEqual(parts)
    expect(assistantParts(streamed(parts))).toEqual(parts)
  })

  it.each<[string, JsonObject]>([
    ['a client has cut the text', { content: 'on' }],
    ['a client has left the text out', { content: null }],
    [
      'a client has added to the parts',
      {
        content: [
          { type: 'text', text: 'onetwo' },
          { type: 'text', text: '!' },
        ],
      },
    ],
  ])('comes first where %s', (_name, change) => {
    const message = { ...documented([thought('A'), text('one'), thought('B'), text('two')]), ...change }
    expect(assistantParts(message).slice(0, 2)).toEqual([thought('A'), thought('B')])
  })
})

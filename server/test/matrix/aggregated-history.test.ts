import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { vendors } from '#providers/registry.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { dataFrame, doneFrame } from '#test/simulators/scenarios/vendor-stream.ts'
import { clients } from './clients/clients.ts'
import { nextRequest } from './next-request.ts'
import { type Recording, recordingOf } from './read-answer.ts'
import { objectsIn } from './upstreams/json-path.ts'

const calls = [
  { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } },
  { id: 'call_2', type: 'function', function: { name: 'f', arguments: '{"a":2}' } },
]

/** How an aggregator returns the thinking of several vendors, in deltas. */
const thoughts: readonly {
  name: string
  model: string
  pieces: { [key: string]: string | number }[]
  whole: JsonObject[]
}[] = [
  {
    name: "OpenAI's summary with what it encrypts",
    model: 'openai/gpt-5.2',
    pieces: [
      { type: 'reasoning.summary', summary: 'I ', id: 'rs_1', format: 'openai-responses-v1', index: 0 },
      { type: 'reasoning.summary', summary: 'think.', id: 'rs_1', format: 'openai-responses-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'gAAAA+/==', id: 'rs_1', format: 'openai-responses-v1', index: 1 },
    ],
    whole: [
      { type: 'reasoning.summary', summary: 'I think.', id: 'rs_1', format: 'openai-responses-v1' },
      { type: 'reasoning.encrypted', data: 'gAAAA+/==', id: 'rs_1', format: 'openai-responses-v1' },
    ],
  },
  {
    name: 'two signed thoughts of Claude, one of them redacted',
    model: 'anthropic/claude-haiku-4.5',
    pieces: [
      { type: 'reasoning.text', text: 'I ', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.text', text: 'think.', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.text', signature: 'c2ln+/==', format: 'anthropic-claude-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'cmVk+/==', format: 'anthropic-claude-v1', index: 1 },
    ],
    whole: [
      { type: 'reasoning.text', text: 'I think.', signature: 'c2ln+/==', format: 'anthropic-claude-v1' },
      { type: 'reasoning.encrypted', data: 'cmVk+/==', format: 'anthropic-claude-v1' },
    ],
  },
  {
    name: "Gemini's thought and the signature of its call",
    model: 'google/gemini-3-pro',
    pieces: [
      { type: 'reasoning.text', text: 'I think.', format: 'google-gemini-v1', index: 0 },
      { type: 'reasoning.encrypted', data: 'c2ln+/==', id: 'call_1', format: 'google-gemini-v1', index: 1 },
    ],
    whole: [
      { type: 'reasoning.text', text: 'I think.', format: 'google-gemini-v1' },
      { type: 'reasoning.encrypted', data: 'c2ln+/==', id: 'call_1', format: 'google-gemini-v1' },
    ],
  },
]

const usage = { prompt_tokens: 5, completion_tokens: 9, total_tokens: 14 }

function streamed(model: string, pieces: { [key: string]: string | number }[]): Recording {
  const chunk = (delta: object, finish: string | null = null): string =>
    dataFrame({ id: 'gen-1', model, choices: [{ index: 0, delta: { ...delta }, finish_reason: finish }] })
  const frames = [
    ...pieces.map((piece) =>
      chunk({
        role: 'assistant',
        content: '',
        reasoning: piece.text ?? piece.summary ?? null,
        reasoning_details: [piece],
      }),
    ),
    ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...call }] })),
    chunk({}, 'tool_calls'),
    dataFrame({ id: 'gen-1', model, choices: [], usage }),
    doneFrame,
  ]
  return { vendor: vendors.openrouter, contentType: 'text/event-stream', bytes: Buffer.from(frames.join('')) }
}

function whole(model: string, details: JsonObject[]): Recording {
  const message = {
    role: 'assistant',
    content: null,
    reasoning: 'I think.',
    reasoning_details: details.map((detail, index) => JSON.parse(JSON.stringify({ ...detail, index }))),
    tool_calls: calls,
  }
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
  return recordingOf(
    vendors.openrouter,
    jsonAnswer(200, { id: 'gen-1', object: 'chat.completion', model, choices, usage }),
  )
}

/** Joins the pieces of one detail like the aggregator. */
function joined(details: readonly JsonObject[]): JsonObject[] {
  const byIndex = new Map<unknown, JsonObject>()
  for (const { index, ...detail } of details) {
    const before = byIndex.get(index) ?? {}
    const grown: JsonObject = { ...before, ...detail }
    for (const name of ['text', 'summary']) {
      if (before[name] !== undefined || detail[name] !== undefined)
        grown[name] = `${before[name] ?? ''}${detail[name] ?? ''}`
    }
    byIndex.set(index, grown)
  }
  return [...byIndex.values()]
}

describe.each(thoughts)('a conversation through an aggregator, with $name', ({ model, pieces, whole: details }) => {
  it.each(clients)('[P17] [REASON-09] brings every detail back to it ($dialect)', (client) => {
    for (const stream of [false, true]) {
      const recording = stream ? streamed(model, pieces) : whole(model, details)
      const body = nextRequest(recording, client, stream, { upstreamModel: model })
      const message = objectsIn(body.messages)[1]
      expect(joined(objectsIn(message?.reasoning_details))).toEqual(details)
      expect(objectsIn(message?.tool_calls).map(({ id }) => id)).toEqual(['call_1', 'call_2'])
      expect(JSON.stringify(body)).not.toContain('weir')
    }
  })
})

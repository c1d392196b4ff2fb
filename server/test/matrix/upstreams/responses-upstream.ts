import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { ResponsesAnswer } from '#test/simulators/protocols/responses/responses-answer.ts'
import { responsesDocument } from '#test/simulators/protocols/responses/responses-document.ts'
import { responsesStream } from '#test/simulators/protocols/responses/responses-stream.ts'
import {
  callPieces,
  type Feature,
  type Said,
  samplePng,
  sampleTokens,
  structuredText,
  usuallySaid,
} from '../features.ts'
import { objectsIn } from './json-path.ts'
import type { Upstream } from './upstream.ts'

const model = 'openai/gpt-5.2'
const signature = 'gAAAAABp+/x1MjM0=='
const thought = {
  type: 'reasoning',
  id: 'rs_A1',
  summaries: [['Let me ', 'think, 東.']],
  encrypted: signature,
} as const
const ids = ['call_A1', 'call_B2'] as const
const calls = callPieces.map(({ name, pieces }, index) => ({ id: ids[index] ?? '', name, arguments: pieces }))
const saidCalls = callPieces.map(({ name, input }, index) => ({ id: ids[index] ?? '', name, input }))
const usage = sampleTokens

export const responsesUpstream: Upstream = {
  protocol: 'responses',
  vendors: [{ vendor: 'openai', model, basePath: '/v1', api: 'responses' }],
  modelFor: () => model,
  play: (feature, stream) => played(answerOf(feature), stream),
  said,
  // 70 × 1.5 + 30 × 0.15 + 40 × 12 dollars per million.
  costUsd: () => 0.0005895,
  countsReasoning: true,
  playThoughtAndCalls: (stream) =>
    played(
      {
        kind: 'items',
        items: [thought, ...calls.map((call) => ({ type: 'function_call' as const, call }))],
        usage,
      },
      stream,
    ),
  thoughtAndCalls: { reasoning: 'Let me think, 東.', signatures: [signature], callIds: ids },
  imagesIn: (body) =>
    objectsIn(itemsIn(body).at(-1)?.content)
      .filter(({ type }) => type === 'input_image')
      // Clients that omit the detail get the provider's default.
      .map(({ detail = 'auto', ...image }) => ({ ...image, detail })),
  imageForm: {
    type: 'input_image',
    image_url: `data:${samplePng.mediaType};base64,${samplePng.base64}`,
    detail: 'auto',
  },
  schemaIn: (body) => {
    const format = objectAt(objectAt(body, 'text'), 'format')
    return format.type === 'json_schema' ? format.schema : undefined
  },
  toolsIn: ({ tools }) =>
    objectsIn(tools).map(({ name, description, parameters: schema }) => ({ name, description, schema })),
  replayIn: (body) => {
    const items = itemsIn(body)
    const thoughts = items.filter(({ type }) => type === 'reasoning')
    const sentCalls = items.filter(({ type }) => type === 'function_call')
    return {
      reasoning: thoughts.flatMap(({ summary }) => objectsIn(summary).map(({ text }) => text)).join(''),
      signatures: thoughts.flatMap((item) => stringAt(item, 'encrypted_content') ?? []),
      callIds: sentCalls.flatMap((item) => stringAt(item, 'call_id') ?? []),
      inputs: sentCalls.map((item) => JSON.parse(stringAt(item, 'arguments') ?? '')),
      results: items
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id: callId, output: text }) => ({ callId, text })),
    }
  },
}

function itemsIn({ input }: JsonObject): JsonObject[] {
  return objectsIn(input)
}

function played(answer: ResponsesAnswer, stream: boolean) {
  return stream ? responsesStream(answer) : responsesDocument(answer)
}

function answerOf(feature: Feature): ResponsesAnswer {
  switch (feature) {
    case 'parallel tool calls':
      return { kind: 'tools', calls, usage }
    case 'reasoning with signature':
      return { kind: 'items', items: [thought, { type: 'message', pieces: ['Hel', 'lo'] }], usage }
    case 'refusal':
      return { kind: 'refusal', pieces: ['I can ', 'not.'], usage }
    case 'length stop':
      return { kind: 'length', pieces: ['Hel'], usage }
    case 'content filter':
      return { kind: 'content-filter', pieces: ['Hel'], usage }
    case 'mid-stream error':
      return { kind: 'mid-stream-error', pieces: ['Hel'] }
    case 'structured output':
      return { kind: 'text', pieces: [structuredText.slice(0, 5), structuredText.slice(5)], usage }
    case 'text':
    case 'cached-token usage':
    case 'image input':
      return { kind: 'text', pieces: ['Hel', 'lo'], usage }
    default:
      return feature satisfies never
  }
}

function said(feature: Feature): Said {
  if (feature === 'parallel tool calls') return { ...usuallySaid[feature], calls: saidCalls }
  if (feature === 'reasoning with signature') return { ...usuallySaid[feature], signature }
  return feature === 'refusal' ? { refusal: 'I can not.', finish: 'stop' } : usuallySaid[feature]
}

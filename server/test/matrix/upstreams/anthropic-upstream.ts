import { isJsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { AnthropicAnswer } from '#test/simulators/protocols/anthropic/anthropic-answer.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
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

const model = 'anthropic/claude-sonnet-4.6'
const signature = 'EqQBCkYIBxgCKkA+/x1MjM0=='
const thinking = { type: 'thinking', pieces: ['Let me ', 'think, 東.'], signature } as const
const ids = ['toolu_A1', 'toolu_B2'] as const
const calls = callPieces.map(({ name, pieces }, index) => ({ id: ids[index] ?? '', name, arguments: pieces }))
const saidCalls = callPieces.map(({ name, input }, index) => ({ id: ids[index] ?? '', name, input }))
const usage = sampleTokens

export const anthropicUpstream: Upstream = {
  protocol: 'anthropic',
  vendors: [{ vendor: 'anthropic', model, basePath: '' }],
  modelFor: () => model,
  play: (feature, stream) => played(answerOf(feature), stream),
  said,
  // 70 × 3.1 + 30 × 0.31 + 40 × 15.5 dollars per million.
  costUsd: () => 0.0008463,
  countsReasoning: true,
  playThoughtAndCalls: (stream) =>
    played(
      {
        kind: 'blocks',
        blocks: [thinking, ...calls.map((call) => ({ type: 'tool_use' as const, call }))],
        stop: 'tool_use',
        usage,
      },
      stream,
    ),
  thoughtAndCalls: { reasoning: 'Let me think, 東.', signatures: [signature], callIds: ids },
  imagesIn: (body) => objectsIn(objectsIn(body.messages).at(-1)?.content).filter(({ type }) => type === 'image'),
  imageForm: {
    type: 'image',
    source: { type: 'base64', media_type: samplePng.mediaType, data: samplePng.base64 },
  },
  schemaIn: (body) => {
    const { format } = objectAt(body, 'output_config')
    return isJsonObject(format) && format.type === 'json_schema' ? format.schema : undefined
  },
  toolsIn: ({ tools }) =>
    objectsIn(tools).map(({ name, description, input_schema: schema }) => ({ name, description, schema })),
  replayIn: (body) => {
    const blocks = objectsIn(body.messages).flatMap(({ content }) => objectsIn(content))
    const thoughts = blocks.filter(({ type }) => type === 'thinking')
    const uses = blocks.filter(({ type }) => type === 'tool_use')
    return {
      reasoning: thoughts.map((block) => stringAt(block, 'thinking') ?? '').join(''),
      signatures: thoughts.flatMap((block) => stringAt(block, 'signature') ?? []),
      callIds: uses.flatMap((block) => stringAt(block, 'id') ?? []),
      inputs: uses.map(({ input }) => input),
      results: blocks
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id: callId, content }) => ({
          callId,
          text: typeof content === 'string' ? content : objectsIn(content)[0]?.text,
        })),
    }
  },
}

function played(answer: AnthropicAnswer, stream: boolean) {
  return stream ? anthropicStream(answer) : anthropicDocument(answer)
}

function answerOf(feature: Feature): AnthropicAnswer {
  switch (feature) {
    case 'parallel tool calls':
      return { kind: 'tools', calls, usage }
    case 'reasoning with signature':
      return { kind: 'blocks', blocks: [thinking, { type: 'text', pieces: ['Hel', 'lo'] }], stop: 'end_turn', usage }
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
  return feature === 'refusal' ? { refusal: 'I can not.', finish: 'content_filter' } : usuallySaid[feature]
}

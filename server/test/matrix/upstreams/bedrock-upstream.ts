import { type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { BedrockAnswer, BedrockBlock } from '#test/simulators/protocols/bedrock/bedrock-answer.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import {
  callPieces,
  type Feature,
  type Said,
  samplePng,
  sampleTokens,
  structuredText,
  usuallySaid,
} from '../features.ts'
import { membersOf, objectsIn } from './json-path.ts'
import type { Upstream } from './upstream.ts'

const model = 'anthropic/claude-sonnet-4.6'
const signature = 'EqQBCgIYAhIM+/1gUå=='
const thought: BedrockBlock = { kind: 'reasoning', pieces: ['Let me ', 'think, 東.'], signature }
const ids = ['tooluse_A1', 'tooluse_B2'] as const
const calls = callPieces.map(
  ({ name, pieces }, index): BedrockBlock => ({ kind: 'tool', id: ids[index] ?? '', name, input: pieces }),
)
const saidCalls = callPieces.map(({ name, input }, index) => ({ id: ids[index] ?? '', name, input }))
const { prompt, cached, completion } = sampleTokens
const usage = { inputTokens: prompt - cached, cacheReadInputTokens: cached, outputTokens: completion }

export const bedrockUpstream: Upstream = {
  protocol: 'bedrock',
  vendors: [{ vendor: 'amazon-bedrock', model, basePath: '' }],
  modelFor: () => model,
  play: (feature, stream) => played(answerOf(feature), stream),
  said,
  // 100 × 3.41 + 40 × 17.05 dollars per million: the first of two regional offers is used, and it has no price for
  // cached input.
  costUsd: () => 0.001023,
  countsReasoning: false,
  playThoughtAndCalls: (stream) => played({ blocks: [thought, ...calls], usage }, stream),
  thoughtAndCalls: { reasoning: 'Let me think, 東.', signatures: [signature], callIds: ids },
  imagesIn: (body) => contentIn(body).filter((block) => block.image !== undefined),
  imageForm: { image: { format: 'png', source: { bytes: samplePng.base64 } } },
  schemaIn: (body) => {
    const format = objectAt(objectAt(body, 'outputConfig'), 'textFormat')
    const text = stringAt(objectAt(objectAt(format, 'structure'), 'jsonSchema'), 'schema')
    return format.type === 'json_schema' ? parseJsonObject(text ?? '') : undefined
  },
  toolsIn: (body) =>
    membersOf(objectsIn(objectAt(body, 'toolConfig').tools), 'toolSpec').map((spec) => ({
      name: spec.name,
      description: spec.description,
      schema: objectAt(spec, 'inputSchema').json,
    })),
  replayIn: (body) => {
    const blocks = contentIn(body)
    const thoughts = membersOf(membersOf(blocks, 'reasoningContent'), 'reasoningText')
    const uses = membersOf(blocks, 'toolUse')
    return {
      reasoning: thoughts.map((text) => stringAt(text, 'text') ?? '').join(''),
      signatures: thoughts.flatMap((text) => stringAt(text, 'signature') ?? []),
      callIds: uses.flatMap((use) => stringAt(use, 'toolUseId') ?? []),
      inputs: uses.map(({ input }) => input),
      results: membersOf(blocks, 'toolResult').map(({ toolUseId: callId, content }) => ({
        callId,
        text: objectsIn(content)[0]?.text,
      })),
    }
  },
}

function contentIn({ messages }: JsonObject): JsonObject[] {
  return objectsIn(messages).flatMap(({ content }) => objectsIn(content))
}

/** A fault that breaks off a stream is an error response without a stream. */
function played(answer: BedrockAnswer, stream: boolean) {
  if (stream) return bedrockStream(answer)
  if (answer.stream?.exception === undefined) return bedrockDocument(answer)
  return bedrockRefusal({ status: 503, type: 'ServiceUnavailableException', message: 'Unable to process' })
}

function answerOf(feature: Feature): BedrockAnswer {
  switch (feature) {
    case 'parallel tool calls':
      return { blocks: [...calls], usage }
    case 'reasoning with signature':
      return { blocks: [thought, { kind: 'text', pieces: ['Hel', 'lo'] }], usage }
    case 'refusal':
      return { blocks: [{ kind: 'text', pieces: ['I can ', 'not.'] }], stopReason: 'guardrail_intervened', usage }
    case 'length stop':
      return { blocks: [{ kind: 'text', pieces: ['Hel'] }], stopReason: 'max_tokens', usage }
    case 'content filter':
      return { blocks: [{ kind: 'text', pieces: ['Hel'] }], stopReason: 'content_filtered', usage }
    case 'mid-stream error':
      return {
        blocks: [{ kind: 'text', pieces: ['Hel'] }],
        stream: { exception: { type: 'modelStreamErrorException', message: 'The model broke off' } },
      }
    case 'structured output':
      return { blocks: [{ kind: 'text', pieces: [structuredText.slice(0, 5), structuredText.slice(5)] }], usage }
    case 'text':
    case 'cached-token usage':
    case 'image input':
      return { blocks: [{ kind: 'text', pieces: ['Hel', 'lo'] }], usage }
    default:
      return feature satisfies never
  }
}

/** A guardrail replaces the model's text with its own, which is the usual refusal. */
function said(feature: Feature): Said {
  if (feature === 'parallel tool calls') return { ...usuallySaid[feature], calls: saidCalls }
  return feature === 'reasoning with signature' ? { ...usuallySaid[feature], signature } : usuallySaid[feature]
}

import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { GeminiAnswer } from '#test/simulators/protocols/gemini/gemini-answer.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
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

const model = 'google/gemini-3-pro'
const signature = 'CiQB0e2Kb+/x4uD=='
const thoughts = ['Let me ', 'think, 東.']
const ids = ['ab12', 'cd34'] as const
const saidCalls = callPieces.map(({ name, input }, index) => ({ id: ids[index] ?? '', name, input }))
const calls = saidCalls.map(({ id, name, input }) => ({ id, name, args: { ...input } }))
const { prompt, cached, completion, reasoning } = sampleTokens
const usage = { prompt, cached, candidates: completion - reasoning, thoughts: reasoning }

export const geminiUpstream: Upstream = {
  protocol: 'gemini',
  vendors: [{ vendor: 'google-ai-studio', model, basePath: '/v1' }],
  modelFor: () => model,
  play: (feature, stream) => played(answerOf(feature), stream),
  said,
  // 100 × 2.2 + 40 × 13 dollars per million: this offer has no price for cached input. A blocked prompt has no output.
  costUsd: (feature) => (feature === 'refusal' ? 0.00022 : 0.00074),
  countsReasoning: true,
  playThoughtAndCalls: (stream) => {
    // Only the first of several calls is signed.
    const signed = calls.map((call, index) => (index === 0 ? { ...call, signature } : call))
    return played({ kind: 'tools', thoughts, calls: signed, usage }, stream)
  },
  // Thoughts are only shown; the signature on the call stands for them in the next turn.
  thoughtAndCalls: { reasoning: thoughts.join(''), signatures: [signature], callIds: ids },
  imagesIn: (body) => objectsIn(contentsIn(body).at(-1)?.parts).filter((part) => part.inlineData !== undefined),
  imageForm: { inlineData: { mimeType: samplePng.mediaType, data: samplePng.base64 } },
  schemaIn: (body) => {
    const config = objectAt(body, 'generationConfig')
    return config.responseMimeType === 'application/json' ? config.responseJsonSchema : undefined
  },
  toolsIn: ({ tools }) =>
    objectsIn(tools)
      .flatMap((tool) => objectsIn(tool.functionDeclarations))
      .map(({ name, description, parametersJsonSchema: schema }) => ({ name, description, schema })),
  replayIn: (body) => {
    const parts = contentsIn(body).flatMap((content) => objectsIn(content.parts))
    const sentCalls = membersOf(parts, 'functionCall')
    return {
      reasoning: parts.map((part) => (part.thought === true ? (stringAt(part, 'text') ?? '') : '')).join(''),
      signatures: parts
        .filter((part) => part.functionCall !== undefined)
        .flatMap((part) => stringAt(part, 'thoughtSignature') ?? []),
      callIds: sentCalls.flatMap((call) => stringAt(call, 'id') ?? []),
      inputs: sentCalls.map(({ args }) => args),
      results: membersOf(parts, 'functionResponse').map((result) => ({
        callId: result.id,
        text: Object.values(objectAt(result, 'response'))[0],
      })),
    }
  },
}

function contentsIn({ contents }: JsonObject): JsonObject[] {
  return objectsIn(contents)
}

function played(answer: GeminiAnswer, stream: boolean) {
  return stream ? geminiStream(answer) : geminiDocument(answer)
}

function answerOf(feature: Feature): GeminiAnswer {
  switch (feature) {
    case 'parallel tool calls':
      return { kind: 'tools', calls, usage }
    case 'reasoning with signature':
      return { kind: 'thoughts', thoughts, pieces: ['Hel', 'lo'], signature, usage }
    case 'refusal':
      return { kind: 'prompt-blocked', reason: 'PROHIBITED_CONTENT', usage }
    case 'length stop':
      return { kind: 'length', pieces: ['Hel'], usage }
    case 'content filter':
      return { kind: 'output-blocked', pieces: ['Hel'], usage }
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
  // A blocked prompt is refused without a text.
  return feature === 'refusal' ? { finish: 'content_filter' } : usuallySaid[feature]
}

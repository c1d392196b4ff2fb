import { type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { Answer, ToolCall } from '#test/simulators/scenarios/answer.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { dataFrame, doneFrame, vendorStream } from '#test/simulators/scenarios/vendor-stream.ts'
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

const plainModel = 'openai/gpt-5.2'
/** OpenAI shows no reasoning on this endpoint; an aggregator with Claude behind it does. */
const thinkingModel = 'anthropic/claude-haiku-4.5'
const signature = 'Eq+/QBCkYIBxgCKkAxMjM0=='
const thought = ['Let me ', 'think, 東.']
const ids = ['call_A1', 'call_B2'] as const
const calls: ToolCall[] = callPieces.map(({ name, pieces }, index) => ({
  id: ids[index] ?? '',
  name,
  arguments: pieces,
}))
const saidCalls = callPieces.map(({ name, input }, index) => ({ id: ids[index] ?? '', name, input }))

export const openAiUpstream: Upstream = {
  protocol: 'openai',
  vendors: [
    { vendor: 'openai', model: plainModel, basePath: '/v1' },
    { vendor: 'openrouter', model: thinkingModel, basePath: '/v1' },
  ],
  modelFor: (feature) =>
    feature === 'reasoning with signature' || feature === 'second turn' ? thinkingModel : plainModel,
  play: (feature, stream) => {
    if (feature === 'reasoning with signature') return thinkingAnswer(stream, { text: 'Hello' })
    const answer = answerOf(feature)
    return stream ? vendorStream('openai', answer) : vendorCompletion('openai', answer)
  },
  said,
  // 70 × 1.5 + 30 × 0.15 + 40 × 12 dollars per million; the aggregator's offer has no price for cached input.
  costUsd: (feature) => (feature === 'reasoning with signature' ? 0.00027 : 0.0005895),
  countsReasoning: true,
  playThoughtAndCalls: (stream) => thinkingAnswer(stream, { calls }),
  thoughtAndCalls: { reasoning: thought.join(''), signatures: [signature], callIds: ids },
  imagesIn: (body) => objectsIn(messagesIn(body).at(-1)?.content).filter(({ type }) => type === 'image_url'),
  imageForm: { type: 'image_url', image_url: { url: `data:${samplePng.mediaType};base64,${samplePng.base64}` } },
  schemaIn: ({ response_format: format }) =>
    objectsIn([format ?? null]).map((form) => form.type === 'json_schema' && objectAt(form, 'json_schema').schema)[0],
  toolsIn: ({ tools }) =>
    objectsIn(tools).map((tool) => {
      const { name, description, parameters } = objectAt(tool, 'function')
      return { name, description, schema: parameters }
    }),
  replayIn: (body) => {
    const messages = messagesIn(body)
    const details = messages.flatMap((message) => objectsIn(message.reasoning_details))
    const sentCalls = messages.flatMap((message) => objectsIn(message.tool_calls))
    return {
      reasoning: details.map((detail) => stringAt(detail, 'text') ?? '').join(''),
      signatures: details.flatMap((detail) => stringAt(detail, 'signature') ?? []),
      callIds: sentCalls.flatMap((call) => stringAt(call, 'id') ?? []),
      inputs: sentCalls.map((call) => JSON.parse(stringAt(objectAt(call, 'function'), 'arguments') ?? '')),
      results: messages
        .filter(({ role }) => role === 'tool')
        .map((message) => ({ callId: message.tool_call_id, text: message.content })),
    }
  },
}

function messagesIn({ messages }: JsonObject): JsonObject[] {
  return objectsIn(messages)
}

function answerOf(feature: Exclude<Feature, 'reasoning with signature'>): Answer {
  const usage = sampleTokens
  switch (feature) {
    case 'parallel tool calls':
      return { kind: 'tools', calls, usage }
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

const usageJson = {
  prompt_tokens: sampleTokens.prompt,
  completion_tokens: sampleTokens.completion,
  total_tokens: sampleTokens.prompt + sampleTokens.completion,
  prompt_tokens_details: { cached_tokens: sampleTokens.cached },
  completion_tokens_details: { reasoning_tokens: sampleTokens.reasoning },
}

/** The format of an aggregator for Claude's thinking: details with the signature in its own delta. */
function thinkingAnswer(
  stream: boolean,
  { text, calls: called = [] }: { text?: string; calls?: ToolCall[] },
): StepsScenario {
  const head = { id: 'gen-1', model: thinkingModel, created: 1_790_000_000 }
  const finish = called.length > 0 ? 'tool_calls' : 'stop'
  const detail = { type: 'reasoning.text', format: 'anthropic-claude-v1', index: 0 }
  if (!stream) {
    const message = {
      role: 'assistant',
      content: text ?? null,
      reasoning: thought.join(''),
      reasoning_details: [{ ...detail, text: thought.join(''), signature }],
      ...(called.length === 0
        ? {}
        : {
            tool_calls: called.map(({ id, name, arguments: pieces }) => ({
              id,
              type: 'function',
              function: { name, arguments: pieces.join('') },
            })),
          }),
    }
    const choices = [{ index: 0, message, finish_reason: finish }]
    return jsonAnswer(200, { ...head, object: 'chat.completion', choices, usage: usageJson })
  }
  const deltas = [
    ...thought.map((piece) => ({ content: '', reasoning: piece, reasoning_details: [{ ...detail, text: piece }] })),
    { content: '', reasoning_details: [{ ...detail, signature }] },
    ...(text === undefined ? [] : [{ content: text }]),
    ...interleaved(called),
  ]
  const chunk = (delta: object, reason: string | null): string =>
    dataFrame({
      ...head,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: reason }],
    })
  return {
    kind: 'steps',
    steps: [
      { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } },
      ...deltas.map((delta) => ({ do: 'write' as const, text: chunk(delta, null) })),
      { do: 'write', text: chunk({ content: '' }, finish) },
      { do: 'write', text: dataFrame({ ...head, object: 'chat.completion.chunk', choices: [], usage: usageJson }) },
      { do: 'write', text: doneFrame },
      { do: 'end' },
    ],
  }
}

/** All calls start before the first continues. */
function interleaved(called: readonly ToolCall[]): object[] {
  const begun = called.map(({ id, name }, index) => ({
    tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }],
  }))
  const longest = Math.max(0, ...called.map((call) => call.arguments.length))
  const added = Array.from({ length: longest }, (_, round) =>
    called.flatMap(({ arguments: pieces }, index) => {
      const piece = pieces[round]
      return piece === undefined ? [] : [{ tool_calls: [{ index, function: { arguments: piece } }] }]
    }),
  )
  return [...begun, ...added.flat()]
}

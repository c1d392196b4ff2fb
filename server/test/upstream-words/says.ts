import type { JsonObject } from '#test/simulators/json-value.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import type { Step, StepsScenario } from '#test/simulators/scenario.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'

/** The places for an upstream's own sentence in each protocol. */
type Place = 'a refusal' | 'a document' | 'the first frame' | 'a later frame' | 'the end'

export interface Saying {
  readonly protocol: 'openai' | 'claude' | 'gemini' | 'bedrock'
  readonly place: Place
  readonly isStream: boolean
  readonly play: (sentence: string) => StepsScenario
}

export const sayings: readonly Saying[] = [
  said('openai', 'a refusal', (message) => jsonAnswer(400, { error: openAiError(message) })),
  said('openai', 'a document', (message) => jsonAnswer(200, { error: openAiError(message) })),
  said('openai', 'the first frame', (message) => events([{ error: openAiError(message) }])),
  said('openai', 'a later frame', (message) => events([openAiText, { error: openAiError(message) }])),
  said('openai', 'the end', (word) =>
    events([openAiText, { ...openAiChunk, choices: [{ index: 0, delta: {}, finish_reason: word }] }, openAiUsage]),
  ),
  said('claude', 'a refusal', (message) => jsonAnswer(400, claudeError(message))),
  said('claude', 'a document', (message) => jsonAnswer(200, claudeError(message))),
  said('claude', 'the first frame', (message) => events([claudeError(message)])),
  said('claude', 'a later frame', (message) => events([...claudeText, claudeError(message)])),
  said('claude', 'the end', (explanation) =>
    events([
      ...claudeText,
      {
        type: 'message_delta',
        delta: { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation } },
        usage: { output_tokens: 2 },
      },
      { type: 'message_stop' },
    ]),
  ),
  said('gemini', 'a refusal', (message) => jsonAnswer(400, { error: geminiError(message) })),
  said('gemini', 'a document', (message) => jsonAnswer(200, { error: geminiError(message) })),
  said('gemini', 'the first frame', (message) => events([{ error: geminiError(message) }])),
  said('gemini', 'a later frame', (message) => events([geminiText(), { error: geminiError(message) }])),
  said('gemini', 'the end', (word) => events([geminiText(word)])),
  said('bedrock', 'a refusal', (message) => bedrockRefusal({ status: 400, type: 'ValidationException', message })),
  said('bedrock', 'a document', (message) => jsonAnswer(200, { __type: 'ModelErrorException', message })),
  said('bedrock', 'the first frame', (message) =>
    bedrockStream({ blocks: [], stream: { exception: { type: 'modelStreamErrorException', message } } }),
  ),
  said('bedrock', 'a later frame', (message) =>
    bedrockStream({
      blocks: [{ kind: 'text', pieces: ['Hel', 'lo'] }],
      stream: { exception: { type: 'modelStreamErrorException', message } },
    }),
  ),
  said('bedrock', 'the end', (stopReason) =>
    bedrockStream({ blocks: [{ kind: 'text', pieces: ['Hel', 'lo'] }], stopReason }),
  ),
]

function said(protocol: Saying['protocol'], place: Place, play: Saying['play']): Saying {
  return { protocol, place, play, isStream: place !== 'a refusal' && place !== 'a document' }
}

function events(frames: readonly JsonObject[]): StepsScenario {
  const head: Step = { do: 'head', status: 200, headers: { 'content-type': 'text/event-stream' } }
  return { kind: 'steps', steps: [head, ...frames.map(written), { do: 'end' }] }
}

function written(frame: JsonObject): Step {
  return { do: 'write', text: `data: ${JSON.stringify(frame)}\n\n` }
}

const openAiChunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm' }
const openAiText = { ...openAiChunk, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] }
const openAiUsage = { ...openAiChunk, choices: [], usage: { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 } }

function openAiError(message: string): JsonObject {
  return { message, type: 'invalid_request_error', param: null, code: null }
}

const claudeText: readonly JsonObject[] = [
  {
    type: 'message_start',
    message: { id: 'm', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 5, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
  { type: 'content_block_stop', index: 0 },
]

function claudeError(message: string): JsonObject {
  return { type: 'error', error: { type: 'invalid_request_error', message } }
}

function geminiText(finishReason?: string): JsonObject {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts: [{ text: 'Hello' }] }, ...(finishReason ? { finishReason } : {}) },
    ],
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 2, totalTokenCount: 7 },
  }
}

function geminiError(message: string): JsonObject {
  return { code: 400, message, status: 'INVALID_ARGUMENT' }
}

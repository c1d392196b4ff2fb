import { chunksPerLongStream, chunksPerStream } from './settings.ts'

/**
 * The response bytes of the mock upstream, made once. A marker in the first message selects the response, because a
 * gateway may change path, model and field order but never the text of a message.
 */
export const marker = 'weir-bench-'
export const modes = { json: 'j', burst: 'b', long: 'l', held: 'h' } as const
export type Mode = keyof typeof modes

/** The texts of both responses, which a probe uses to check that they are complete. */
export const jsonText =
  'A weir is a low dam across a river. It raises the water, regulates the flow and lets it be measured.'
// Besides the words there are a role, a finish reason and usage.
const burstWords = wordsOf(chunksPerStream - 3)
const longWords = wordsOf(chunksPerLongStream - 3)
export const burst = { text: burstWords.join(''), outputTokens: burstWords.length }
export const longBurst = { text: longWords.join(''), outputTokens: longWords.length }

const head = {
  id: 'chatcmpl-Bq3xWn7kd02LmZ8vTa5uYcRe',
  created: 1_790_000_000,
  model: 'gpt-x-2026-01-01',
  service_tier: 'default',
  system_fingerprint: 'fp_1b7c90e2aa',
}

const openAiHeaders =
  'x-request-id: req_5f2a9c81d04e4b7f\r\nopenai-processing-ms: 12\r\nx-ratelimit-limit-requests: 10000\r\n' +
  'x-ratelimit-remaining-requests: 9999\r\nx-ratelimit-reset-requests: 6ms\r\n'

/** The response as one JSON document of about 0.6 KB. */
export const jsonAnswer = jsonResponse()

export const streamHead = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n${openAiHeaders}transfer-encoding: chunked\r\n\r\n`,
)

const roleFrame = frame([choice({ role: 'assistant', content: '', refusal: null })])
const finishFrame = frame([choice({}, 'stop')])
const usageFrame = frame([], usageOf(burst.outputTokens))

/** One HTTP chunk per event: role, text, finish and usage, `chunksPerStream` in all, or the number of a long stream. */
export const burstChunks = chunksOf(burstWords)
export const longChunks = chunksOf(longWords)

export const streamEnd = Buffer.concat([httpChunk('data: [DONE]\n\n'), Buffer.from('0\r\n\r\n')])

/** The output of a held stream at its start, at intervals, and at its end. */
export const heldOpening = Buffer.concat([httpChunk(roleFrame), httpChunk(frame([choice({ content: 'Wait' })]))])
export const heldDrip = httpChunk(frame([choice({ content: '.' })]))
export const heldClosing = Buffer.concat([httpChunk(finishFrame), httpChunk(usageFrame), streamEnd])

function jsonResponse(): Buffer {
  const body = JSON.stringify({
    id: head.id,
    object: 'chat.completion',
    created: head.created,
    model: head.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: jsonText, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(burst.outputTokens),
    service_tier: head.service_tier,
    system_fingerprint: head.system_fingerprint,
  })
  return Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${openAiHeaders}content-length: ${body.length}\r\n\r\n${body}`,
  )
}

function wordsOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => ` word${index % 10}`)
}

function chunksOf(words: readonly string[]): readonly Buffer[] {
  const frames = words.map((content) => frame([choice({ content })]))
  return [roleFrame, ...frames, finishFrame, frame([], usageOf(words.length))].map(httpChunk)
}

function usageOf(outputTokens: number): object {
  return {
    prompt_tokens: 212,
    completion_tokens: outputTokens,
    total_tokens: 212 + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  }
}

function choice(delta: object, finishReason: string | null = null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finishReason }
}

function frame(choices: object[], usage: object | null = null): string {
  const { id, ...rest } = head
  return `data: ${JSON.stringify({ id, object: 'chat.completion.chunk', ...rest, choices, usage })}\n\n`
}

export function httpChunk(text: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
}

import type { buildConnector } from 'undici'
import { MemorySocket } from './memory-socket.ts'

/**
 * Connects undici to an upstream that exists only in memory. It answers each request at the next turn of the event
 * loop: with a document, or with a stream of one chunk per read.
 */
export const connectInMemory: buildConnector.connector = (_options, connected) => {
  let request = ''
  const socket = new MemorySocket((bytes) => {
    request += bytes.toString('latin1')
    if (!request.endsWith('}')) return
    const answer = answerTo(request)
    request = ''
    setImmediate(() => {
      for (const piece of answer) socket.push(piece)
    })
  })
  setImmediate(() => connected(null, socket))
}

function answerTo(request: string): readonly Buffer[] {
  if (request.includes('/embeddings ')) return [embeddings]
  return request.includes('"stream":true') ? stream : [document]
}

const text = 'A weir is a low dam across a river. It raises the water, regulates the flow and lets it be measured.'
const words = text.split(/(?= )/)

const head = {
  id: 'chatcmpl-warmup',
  created: 1_790_000_000,
  model: 'warm-up',
  service_tier: 'default',
  system_fingerprint: 'fp_warmup',
}

const usage = {
  prompt_tokens: 212,
  completion_tokens: words.length,
  total_tokens: 212 + words.length,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: {
    reasoning_tokens: 0,
    audio_tokens: 0,
    accepted_prediction_tokens: 0,
    rejected_prediction_tokens: 0,
  },
}

const document = documentOf({
  ...head,
  object: 'chat.completion',
  choices: [
    { index: 0, message: { role: 'assistant', content: text, refusal: null }, logprobs: null, finish_reason: 'stop' },
  ],
  usage,
})

const embeddings = documentOf({
  object: 'list',
  data: [{ object: 'embedding', index: 0, embedding: Array.from({ length: 64 }, (_, index) => index / 1_000) }],
  model: 'warm-up-embedding',
  usage: { prompt_tokens: 200, total_tokens: 200 },
})

const stream: readonly Buffer[] = [
  Buffer.from(
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\nx-request-id: req_warmup\r\n' +
      'transfer-encoding: chunked\r\n\r\n',
  ),
  chunk([choice({ role: 'assistant', content: '', refusal: null })]),
  ...words.map((content) => chunk([choice({ content })])),
  chunk([choice({}, 'stop')]),
  chunk([], usage),
  Buffer.concat([httpChunk('data: [DONE]\n\n'), Buffer.from('0\r\n\r\n')]),
]

function documentOf(body: object): Buffer {
  const bytes = JSON.stringify(body)
  return Buffer.from(
    'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_warmup\r\n' +
      `content-length: ${Buffer.byteLength(bytes)}\r\n\r\n${bytes}`,
  )
}

function choice(delta: object, finishReason: string | null = null): object {
  return { index: 0, delta, logprobs: null, finish_reason: finishReason }
}

function chunk(choices: readonly object[], used: object | null = null): Buffer {
  const { id, ...rest } = head
  const event = { id, object: 'chat.completion.chunk', ...rest, choices, usage: used }
  return httpChunk(`data: ${JSON.stringify(event)}\n\n`)
}

function httpChunk(content: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(content).toString(16)}\r\n${content}\r\n`)
}

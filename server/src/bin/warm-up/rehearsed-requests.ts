import { rehearsedModels } from './rehearsed-catalogue.ts'

/** A request as its client sends it, and how its answer ends. */
export interface RehearsedRequest {
  readonly bytes: Buffer
  readonly isEnd: (bytes: Buffer) => boolean
}

const sentence = 'The river is wide here and slow in summer. '
const question = { role: 'user', content: `What is a weir, and what is it good for? ${sentence.repeat(15)}` }
const instruction = { role: 'system', content: 'You answer briefly and plainly.' }
const limits = { max_tokens: 256, temperature: 0.7 }
const { chat: model, embedding } = rehearsedModels

/** What most clients send: conversations as a document and as a stream, Messages, Responses and embeddings. */
export const rehearsedRequests = {
  document: (secret: string) =>
    request('/v1/chat/completions', secret, { model, messages: [instruction, question], ...limits }, endsDocument),
  stream: (secret: string) =>
    request(
      '/v1/chat/completions',
      secret,
      {
        model,
        messages: [instruction, question],
        ...limits,
        stream: true,
        stream_options: { include_usage: true },
      },
      endsStream,
    ),
  messages: (secret: string) =>
    request(
      '/v1/messages',
      secret,
      { model, system: instruction.content, messages: [question], ...limits, stream: true },
      endsStream,
    ),
  responses: (secret: string) =>
    request('/v1/responses', secret, { model, input: question.content, max_output_tokens: 256 }, endsDocument),
  embeddings: (secret: string) =>
    request('/v1/embeddings', secret, { model: embedding, input: sentence.repeat(20) }, endsDocument),
} satisfies Record<string, (secret: string) => RehearsedRequest>

export type RehearsedKind = keyof typeof rehearsedRequests

function request(path: string, secret: string, content: object, isEnd: RehearsedRequest['isEnd']): RehearsedRequest {
  const body = JSON.stringify(content)
  const bytes = Buffer.from(
    `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n` +
      `authorization: Bearer ${secret}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  return { bytes, isEnd }
}

function endsDocument(bytes: Buffer): boolean {
  return bytes.at(-1) === '}'.charCodeAt(0)
}

function endsStream(bytes: Buffer): boolean {
  return bytes.subarray(-5).toString('latin1') === '0\r\n\r\n'
}

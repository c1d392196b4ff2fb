import { isJsonObject, type JsonObject } from '#lib/json.ts'

/** One answer of the gateway, read to its end. */
export interface ChatReply {
  status: number
  headers: Headers
  text: string
  /** The document, or an empty object for a stream. */
  json: JsonObject
  /** The payloads of a stream's events, parsed; `[DONE]` is left out. */
  chunks: JsonObject[]
  sawDone: boolean
}

export interface ChatTarget {
  url: string
  key: string
}

export const hello = [{ role: 'user', content: 'Hello there my friend' }]

/** Posts a chat request the way an SDK would. */
export async function callChat(
  target: ChatTarget,
  body: JsonObject,
  options: { path?: string; headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<ChatReply> {
  const response = await fetch(`${target.url}${options.path ?? '/v1/chat/completions'}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json', ...options.headers },
    body: JSON.stringify({ model: 'openai/gpt-5.2', messages: hello, ...body }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  })
  const text = await response.text()
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false
  const payloads = isStream ? payloadsOf(text) : []
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isStream ? {} : parseObject(text),
    chunks: payloads.filter((payload) => payload !== '[DONE]').map(parseObject),
    sawDone: payloads.at(-1) === '[DONE]',
  }
}

export function payloadsOf(text: string): string[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
}

/** The text a stream's chunks add up to. */
export function textOf(chunks: readonly JsonObject[]): string {
  return chunks.map((chunk) => deltaOf(chunk).content ?? '').join('')
}

export function deltaOf(chunk: JsonObject): JsonObject {
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices : []
  return isJsonObject(choice) && isJsonObject(choice.delta) ? choice.delta : {}
}

function parseObject(text: string): JsonObject {
  const value: unknown = text === '' ? {} : JSON.parse(text)
  if (!isJsonObject(value)) throw new Error(`not an object: ${text}`)
  return value
}

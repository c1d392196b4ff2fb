import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { type CallOptions, createClient } from './client.ts'
import type { Reply } from './reply.ts'

/** A client can be used as a target. */
export interface ChatTarget {
  url: string
  key: string
}

export const hello = [{ role: 'user', content: 'Hello there my friend' }]

/** Posts a chat request like an SDK. */
export function callChat(
  { url, key }: ChatTarget,
  body: JsonObject,
  { path = '/v1/chat/completions', ...options }: CallOptions & { path?: string } = {},
): Promise<Reply> {
  return createClient(url, { key }).post(path, { model: 'openai/gpt-5.2', messages: hello, ...body }, options)
}

/** The joined text of a stream's chunks. */
export function textOf(chunks: readonly JsonObject[]): string {
  return chunks.map((chunk) => deltaOf(chunk).content ?? '').join('')
}

export function deltaOf(chunk: JsonObject): JsonObject {
  const [choice] = Array.isArray(chunk.choices) ? chunk.choices : []
  return isJsonObject(choice) && isJsonObject(choice.delta) ? choice.delta : {}
}

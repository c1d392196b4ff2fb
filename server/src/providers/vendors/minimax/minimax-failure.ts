import { countAt, isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import { type UpstreamFailureText, upstreamFailure } from '#providers/upstream-failure.ts'

/**
 * MiniMax responds with 200 and puts the result into `base_resp`. Its numbers are translated to the words of other
 * upstreams.
 */
export function minimaxFailure(chunk: JsonObject): UpstreamFailureText | undefined {
  const verdict = chunk.base_resp
  if (!isJsonObject(verdict)) return undefined
  const number = countAt(verdict, 'status_code')
  if (number === undefined || number === 0) return undefined
  return upstreamFailure(stringAt(verdict, 'status_msg') ?? '', words.get(number) ?? 'server_error')
}

const words: ReadonlyMap<number, string> = new Map([
  [1002, 'rate_limit_exceeded'],
  [1004, 'invalid_api_key'],
  [1008, 'insufficient_quota'],
  [1026, 'content_filter'],
  [1027, 'content_filter'],
  [1039, 'rate_limit_exceeded'],
  [1041, 'rate_limit_exceeded'],
  [1042, 'invalid_request_error'],
  [2013, 'invalid_request_error'],
  [2037, 'invalid_request_error'],
  [2039, 'invalid_request_error'],
  [2049, 'invalid_api_key'],
])

import { type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'

/** Kling's rejections by the number in their body, which says more than the status. The status may even be 200. */
export function readKlingFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const body = parseJsonObject(bodyText) ?? {}
  const meaning = typeof body.code === 'number' ? meanings[body.code] : undefined
  const message = stringAt(body, 'message') ?? ''
  const error = { message, ...(meaning?.word === undefined ? {} : { type: meaning.word }) }
  const refusal = readFailure(meaning?.status ?? usualStatus(status), headers, JSON.stringify({ error }))
  return { ...refusal, status }
}

/** The same for a failure in a response with status 200. */
export function judgeKlingFailure(answer: JsonObject): UpstreamRefusal {
  return readKlingFailure(200, {}, JSON.stringify(answer))
}

/** For an unknown number with a successful status: a retry might create a second job. */
function usualStatus(status: number): number {
  return status < 400 ? 400 : status
}

/** Whether the error says that there is no such task, in either of two formats. */
export function saysNoSuchTask({ code, message }: JsonObject): boolean {
  return code === 1203 || (code !== 0 && typeof message === 'string' && /\bnot (?:found|exist)/i.test(message))
}

const meanings: Readonly<Record<number, { readonly status: number; readonly word?: string }>> = {
  1000: { status: 401 },
  1001: { status: 401 },
  1002: { status: 401 },
  1003: { status: 401 },
  1004: { status: 401 },
  1100: { status: 403 },
  1101: { status: 402, word: 'insufficient_balance' },
  1102: { status: 402, word: 'insufficient_balance' },
  1103: { status: 403 },
  1200: { status: 400 },
  1201: { status: 400 },
  1202: { status: 404 },
  1203: { status: 404 },
  1300: { status: 400, word: 'content_policy' },
  1301: { status: 400, word: 'content_policy' },
  1302: { status: 429 },
  1303: { status: 429 },
  1304: { status: 403 },
  5000: { status: 500 },
  5001: { status: 503 },
  5002: { status: 504 },
}

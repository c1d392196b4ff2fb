import { parseJsonObject, stringAt } from '#lib/json.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import { type UpstreamFailureText, upstreamFailure } from '#providers/upstream-failure.ts'
import { publicText } from '#lib/public-text.ts'
import { readFailure as readOpenAiFailure } from '../openai/failure/read-failure.ts'
import { headerOf } from '../openai/failure/retry-after.ts'

/**
 * Reads a rejection: the kind is in a header, the message in the body. It is translated to the common classifier, so
 * that the consequence of each kind is defined once.
 */
export function readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const body = parseJsonObject(bodyText) ?? {}
  const type = headerOf(headers, 'x-amzn-errortype') ?? stringAt(body, '__type') ?? stringAt(body, 'code') ?? ''
  const message = publicText(stringAt(body, 'message') ?? stringAt(body, 'Message') ?? '')
  const judged = judge(exceptionOf(type), message, status)
  const text = JSON.stringify({ error: { message, code: judged.word } })
  const refusal = { ...readOpenAiFailure(judged.status, headers, text), status }
  return judged.isHearsay === true ? { ...refusal, concernsRequestOnly: true } : refusal
}

/**
 * A failure that arrived as a frame of a stream. Its code is the status that the same failure has outside of a stream.
 */
export function readExceptionFrame(type: string, payload: string): UpstreamFailureText {
  const body = parseJsonObject(payload) ?? {}
  const said = stringAt(body, 'message') ?? stringAt(body, 'originalMessage') ?? ''
  const exception = exceptionOf(type)
  const message = said.trim() || `The upstream aborted the response${exception === '' ? '' : ` (${exception})`}.`
  const original = body.originalStatusCode
  return upstreamFailure(message, typeof original === 'number' ? original : (statuses[exception] ?? 500))
}

/** The bare name in lower case, without its namespace and address. */
function exceptionOf(type: string): string {
  const [name = ''] = type.split(':')
  return publicText(name.slice(name.lastIndexOf('#') + 1).replace(/Exception$/i, '')).toLowerCase()
}

const statuses: Readonly<Record<string, number>> = {
  validation: 400,
  accessdenied: 403,
  resourcenotfound: 404,
  modeltimeout: 408,
  modelerror: 424,
  modelstreamerror: 424,
  throttling: 429,
  servicequotaexceeded: 429,
  modelnotready: 503,
  internalserver: 500,
  serviceunavailable: 503,
}

interface Judged {
  status: number
  word: string
  /** The failure is recognized only by the message, which may quote a client. */
  isHearsay?: boolean
}

function judge(exception: string, message: string, status: number): Judged {
  // The operator must fix this, not the client: this account or region has no access to the model, whatever kind of
  // error says so.
  if (modelText.test(message)) return { status: 404, word: 'model_not_found', isHearsay: status === 400 }
  if (contentText.test(message)) return { status, word: 'content_filter' }
  if (exception === 'servicequotaexceeded') return { status: 429, word: 'rate_limit' }
  if (exception === 'modelnotready') return { status: 503, word: exception }
  return { status, word: exception }
}

const modelText =
  /access to the model|model identifier is invalid|on-demand throughput|(?:retry your request with|use) (?:the ID or ARN of )?an inference profile|end of its life/i
const contentText = /blocked by (?:our )?content filter/i

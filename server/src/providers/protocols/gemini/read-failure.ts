import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import { publicText } from '#lib/public-text.ts'
import { readFailure as readCommonFailure } from '../openai/failure/read-failure.ts'

/** Translates Google's rejections for the common classifier. */
export function readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const error = parseError(bodyText)
  if (error === undefined) return readCommonFailure(status, headers, bodyText)
  const message = stringAt(error, 'message') ?? ''
  const cause = causeOf(status, error, message)
  // Google describes a rate limit in words that elsewhere mean an empty account, so the classifier does not get them.
  const judged = {
    ...error,
    message: cause === 'rate_limit' ? '' : message,
    ...(cause === undefined ? {} : { type: cause }),
  }
  const refusal = readCommonFailure(status, headers, JSON.stringify({ error: judged }))
  const isLongWait = cause === 'rate_limit' && isDailyLimit(error)
  return { ...refusal, inside: publicText(message), ...(isLongWait ? { action: 'fail-over' as const } : {}) }
}

/** Wrapped in an array if the request was for a stream without `alt=sse`. */
function parseError(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const body: unknown = Array.isArray(value) ? value[0] : value
    return isJsonObject(body) && isJsonObject(body.error) ? body.error : undefined
  } catch {
    return undefined
  }
}

type Cause = 'rate_limit' | 'context_length_exceeded' | 'invalid_api_key' | 'permission'

function causeOf(status: number, error: JsonObject, message: string): Cause | undefined {
  const details = detailsOf(error)
  if (status === 429 || error.status === 'RESOURCE_EXHAUSTED') {
    // Without a quota or a delay the account may be empty, which the common classifier detects by its words.
    const isLimit = details.some((detail) => 'retryDelay' in detail || 'violations' in detail)
    return isLimit || !moneyText.test(message) ? 'rate_limit' : undefined
  }
  if (status !== 400) return undefined
  if (contextText.test(message)) return 'context_length_exceeded'
  if (details.some(({ reason }) => typeof reason === 'string' && reason.startsWith('API_KEY_')))
    return 'invalid_api_key'
  // For example a region that Google does not serve. The client cannot fix this.
  return error.status === 'FAILED_PRECONDITION' ? 'permission' : undefined
}

const moneyText = /credits?|billing|prepa/i
const contextText =
  /token count\b.*\b(?:exceeds?|supports?)|exceeds? the maximum (?:number of )?(?:input )?tokens?|input token limit/i

/** Waiting does not help with a daily quota, but another upstream may serve the request at once. */
function isDailyLimit(error: JsonObject): boolean {
  return detailsOf(error)
    .flatMap(({ violations }) => (Array.isArray(violations) ? violations.filter(isJsonObject) : []))
    .some((violation) => /PerDay/i.test(stringAt(violation, 'quotaId') ?? ''))
}

function detailsOf({ details }: JsonObject): JsonObject[] {
  return Array.isArray(details) ? details.filter(isJsonObject) : []
}

import type { FailureBody } from './failure-body.ts'

/** Why an upstream rejected a request, as far as it affects what happens next. */
export type FailureKind =
  | 'context-too-long'
  | 'content-refused'
  | 'unsupported-parameter'
  | 'out-of-money'
  | 'bad-credential'
  | 'model-missing'
  | 'too-big-for-account'
  | 'rate-limited'
  | 'failing'
  | 'bad-request'

interface JudgedFailure {
  readonly kind: FailureKind
  /** Only the message, not a code or status, says that the failure concerns our account. Messages may quote clients. */
  readonly isHearsay: boolean
}

export function judgeFailure(status: number, body: FailureBody): JudgedFailure {
  const kind = failureKindOf(status, body)
  const isAccount = kind === 'out-of-money' || kind === 'bad-credential'
  return { kind, isHearsay: isAccount && failureKindOf(status, { ...body, message: '' }) !== kind }
}

/** Codes take precedence over the status, because providers agree more on codes. */
function failureKindOf(status: number, body: FailureBody): FailureKind {
  const says = (pattern: RegExp): boolean => body.words.some((word) => pattern.test(word))
  const isRefusal = status === 400 || status === 403 || status === 413 || status === 422 || status === 451
  const mayBeMoney = status === 403 || status === 429 || status < 400
  if (says(contextWords) || (isRefusal && contextText.test(body.message))) return 'context-too-long'
  if (says(contentWords) || (isRefusal && contentText.test(body.message))) return 'content-refused'
  if (status === 402 || says(moneyWords) || (mayBeMoney && moneyText.test(body.message))) return 'out-of-money'
  if (status === 401 || says(credentialWords) || (isRefusal && credentialText.test(body.message)))
    return 'bad-credential'
  if (status === 403) return 'bad-credential'
  if (status === 404 || status === 410 || says(modelWords)) return 'model-missing'
  // The request is larger than our account may send in a minute: another provider may accept it.
  if (status === 413 && says(rateWords)) return 'too-big-for-account'
  if (status === 429 || says(rateWords)) return 'rate-limited'
  // A response with status 200 may still report a wrong request.
  if (isFailing(status) && !(status < 400 && says(requestWords))) return 'failing'
  if (says(parameterWords) || parameterText.test(body.message)) return 'unsupported-parameter'
  if (body.param !== undefined && unsupportedText.test(body.message)) return 'unsupported-parameter'
  return 'bad-request'
}

/**
 * Timeouts, lock contention, overload under its several numbers, and every server error. Redirects are not followed.
 */
function isFailing(status: number): boolean {
  return status >= 500 || status < 400 || [408, 409, 424, 425, 498].includes(status)
}

const contextWords =
  /^(?:context_length_exceeded|exceed_context_size_error|string_above_max_length|context_window_exceeded)$/
const contextText =
  /(?:maximum|max|exceeds?(?: the)?(?: \w+)?) context|context (?:length|window|size)|(?:prompt|input) is too long|too many (?:input )?tokens|range of input length/i
const contentWords =
  /content_filter|content_policy|data_?inspection_?failed|responsibleaipolicy|sensitivecontent|moderation|^(?:sensitive|safety|1301)$/
const contentText =
  /content (?:management )?policy|safety system|inappropriate content|flagged|moderation|usage policies|sensitive (?:content|information|words)/i
const moneyWords =
  /insufficient_quota|insufficient_(?:balance|credits?|funds)|exceeded_current_quota|billing|payment_required|overdue|arrear|^quota_exceeded$/
const moneyText =
  /insufficient (?:account )?(?:balance|credits?|funds|quota)|exceeded your current quota|(?:out of|no|run out of) credits|account is suspended|in arrears|overdue/i
const credentialWords = /invalid_api_key|authentication|unauthori[sz]ed|permission|accessdenied|^api_key_/
// These patterns match only at the beginning: in the middle of a message the words may quote a client.
const credentialText = /^(?:incorrect|invalid) api[ -]?key\b|^api key not valid\b/i
const modelWords = /model_?not_?found|invalid_model|model_not_exist|model_not_available/
const rateWords = /rate_?limit|too_many_requests|throttl|engine_overloaded|limit_requests|resource_exhausted/
const parameterWords = /unsupported_(?:parameter|value)|unknown_parameter|extra_forbidden/
const parameterText =
  /unsupported (?:parameter|value)|(?:unknown|unrecognized|unexpected) (?:parameter|field|request argument)|extra inputs are not permitted/i
const unsupportedText = /does not support|(?:is|are) not supported|not supported by/i
const requestWords = /^invalid_request/

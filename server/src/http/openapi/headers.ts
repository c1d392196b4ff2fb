import type { JsonObject } from '#lib/json.ts'

/** Response headers, by the names that the document references. */
const answerHeaders = {
  'X-Request-Id': {
    type: 'string',
    about: 'Request ID for support and logs. Sent with every response, including errors.',
  },
  'X-Generation-Id': {
    type: 'string',
    about:
      'Generation ID of this request, also the `id` of a chat completion. Use `GET /v1/generation` to get the receipt.',
  },
  'X-RateLimit-Limit': { type: 'integer', about: 'Maximum number of requests per minute.' },
  'X-RateLimit-Remaining': { type: 'integer', about: 'Number of requests left in the current minute.' },
  'X-RateLimit-Reset': { type: 'integer', about: 'When the current minute ends, in Unix seconds.' },
  'X-Params-Ignored': {
    type: 'string',
    about: 'Comma-separated request fields that this model or provider does not accept, or does not accept as sent.',
  },
  'X-Output-Cap': {
    type: 'integer',
    about:
      'Maximum output tokens per choice that credit and limits allow. Sent only when lower than the maximum of the model.',
  },
  'X-Auto-Resolved-Model': { type: 'string', about: 'The model that serves the request when `auto` was requested.' },
  'X-Weir-Free-Fallback': {
    type: 'string',
    about: 'The free quota that is used up: `daily` or `rpm`. The request was charged.',
  },
  'X-Weir-Replayed': {
    type: 'string',
    about: '`true` for the answer of an earlier request with the same `Idempotency-Key`.',
  },
  'X-Weir-Cache': {
    type: 'string',
    about:
      'Only for requests that use the response cache: `hit` for a cached answer, `miss` if a provider was called and its answer is cached, `bypass` if the answer is not cached.',
  },
  'Retry-After': { type: 'integer', about: 'Seconds to wait before retrying.' },
  'X-Weir-Error': {
    type: 'string',
    about:
      'The reason for the rejection, the same on every endpoint: the `code` of the error, or its name if the code is only the status.',
  },
  'X-Should-Retry': { type: 'string', about: '`false` when an early retry cannot succeed. SDKs honor this header.' },
} as const satisfies Record<string, { type: string; about: string }>

type HeaderName = keyof typeof answerHeaders

const refusalHeaders: readonly HeaderName[] = ['X-Request-Id', 'X-Weir-Error', 'Retry-After', 'X-Should-Retry']
const inferenceHeaders: readonly HeaderName[] = [
  'X-Request-Id',
  'X-Generation-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Params-Ignored',
  'X-Output-Cap',
  'X-Auto-Resolved-Model',
  'X-Weir-Free-Fallback',
  'X-Weir-Replayed',
  'X-Weir-Cache',
]

/** The headers of each kind of response. */
export const headersOf = {
  reply: refer(['X-Request-Id']),
  inference: refer(inferenceHeaders),
  refusal: refer(refusalHeaders),
}

export const headerComponents: JsonObject = Object.fromEntries(
  Object.entries(answerHeaders).map(([name, { type, about }]) => [name, { description: about, schema: { type } }]),
)

function refer(names: readonly HeaderName[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

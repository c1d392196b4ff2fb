import type { JsonObject } from '#lib/json.ts'

/** The headers of answers, by the names that the document refers to them with. */
const answerHeaders = {
  'X-Request-Id': { type: 'string', about: 'For support and logs; on every answer, refusals included.' },
  'X-Generation-Id': {
    type: 'string',
    about: 'The id of this request, also the `id` of a chat answer. `GET /v1/generation` shows its receipt.',
  },
  'X-RateLimit-Limit': { type: 'integer', about: 'Requests in a minute.' },
  'X-RateLimit-Remaining': { type: 'integer', about: 'How many of them are left.' },
  'X-RateLimit-Reset': { type: 'integer', about: 'When the minute is over, in seconds since 1970.' },
  'X-Params-Ignored': {
    type: 'string',
    about: 'Fields of the request that this model or provider does not take, or not as they were written.',
  },
  'X-Output-Cap': {
    type: 'integer',
    about: 'The output cap of each choice that credit and limits allow, where that is less than the model could make.',
  },
  'X-Auto-Resolved-Model': { type: 'string', about: 'The model that answers, where `auto` was asked for.' },
  'X-Weir-Free-Fallback': {
    type: 'string',
    about: 'A free quota is used up (`daily` or `rpm`); this call was charged.',
  },
  'Retry-After': { type: 'integer', about: 'Seconds to wait.' },
  'X-Should-Retry': { type: 'string', about: '`false` where a retry cannot mend it soon; SDKs obey it.' },
} as const satisfies Record<string, { type: string; about: string }>

type HeaderName = keyof typeof answerHeaders

const refusalHeaders: readonly HeaderName[] = ['X-Request-Id', 'Retry-After', 'X-Should-Retry']
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
]

/** What each kind of answer has in its head. */
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

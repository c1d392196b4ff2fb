import type { ErrorName } from '#errors/catalogue.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import type { UpstreamFailureText } from '#providers/upstream-failure.ts'
import { type FailureBody, readFailureBody } from './failure-body.ts'
import { type FailureKind, judgeFailure } from './failure-kind.ts'
import { refusedFieldOf } from '#providers/refused-field.ts'
import { publicText } from '#lib/public-text.ts'
import { headerOf, retryAfterMs } from './retry-after.ts'

export function readFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const body = readFailureBody(bodyText)
  const { kind, isHearsay } = judgeFailure(status < 400 ? (body.status ?? status) : status, body)
  const refusal = refuse(kind, status, body)
  const delayMs = retryAfterMs(headers) ?? body.retryDelayMs ?? null
  return {
    ...refusal,
    action: actionAfter(refusal.action, kind, headers),
    retryAfterMs: delayMs,
    ...(isHearsay || kind === 'too-big-for-account' ? { concernsRequestOnly: true } : {}),
  }
}

/** The same classification for a failure inside a response with status 200. */
export function judgeChunkFailure({ message, code }: UpstreamFailureText): UpstreamRefusal {
  return readFailure(200, {}, JSON.stringify({ error: { message, code } }))
}

/** The upstream's own statement on whether to retry, if its rejection does not already say more. */
function actionAfter(
  action: UpstreamRefusal['action'],
  kind: FailureKind,
  headers: ResponseHeaders,
): UpstreamRefusal['action'] {
  const hint = headerOf(headers, 'x-should-retry')
  if (hint === 'false' && action === 'retry') return 'fail-over'
  return hint === 'true' && kind === 'bad-request' ? 'retry' : action
}

interface Consequence {
  action: UpstreamRefusal['action']
  errorName: ErrorName
  /** Undefined if the upstream's message is about the client's request and is passed on. */
  message?: string
}

const consequences = {
  'context-too-long': { action: 'give-up', errorName: 'contextTooLong' },
  'content-refused': { action: 'give-up', errorName: 'contentModeration' },
  'unsupported-parameter': { action: 'give-up', errorName: 'unsupportedParam' },
  'bad-request': { action: 'give-up', errorName: 'unknownUpstream4xx' },
  'out-of-money': {
    action: 'fail-over',
    errorName: 'upstreamUnavailable',
    message: 'The upstream is currently unavailable to this gateway.',
  },
  'bad-credential': {
    action: 'fail-over',
    errorName: 'upstreamAuthFailed',
    message: "The upstream rejected the gateway's credentials.",
  },
  'model-missing': {
    action: 'fail-over',
    errorName: 'upstreamUnavailable',
    message: 'The upstream does not currently offer this model.',
  },
  'too-big-for-account': {
    action: 'fail-over',
    errorName: 'upstreamRateLimited',
    message: "The request exceeds the gateway's per-minute limit at the upstream. Send a smaller request.",
  },
  'rate-limited': {
    action: 'retry',
    errorName: 'upstreamRateLimited',
    message: 'The upstream is rate limiting requests. Retry shortly.',
  },
  failing: {
    action: 'retry',
    errorName: 'upstreamUnavailable',
    message: 'The upstream is failing or overloaded. Retry shortly.',
  },
} as const satisfies Record<FailureKind, Consequence>

function refuse(kind: FailureKind, status: number, body: FailureBody): Omit<UpstreamRefusal, 'retryAfterMs'> {
  const consequence: Consequence = consequences[kind]
  const inside = publicText(body.message)
  return {
    action: consequence.action,
    errorName: consequence.errorName,
    message: consequence.message ?? quote(kind, inside, body.param),
    inside,
    status,
    ...fieldOf(kind, body),
  }
}

/** Only a request that every upstream would reject can have a rejected field. */
function fieldOf(kind: FailureKind, body: FailureBody): Pick<UpstreamRefusal, 'refusedField'> {
  const refusedField = consequences[kind].action === 'give-up' ? refusedFieldOf(body) : undefined
  return refusedField === undefined ? {} : { refusedField }
}

function quote(kind: FailureKind, text: string, param: string | undefined): string {
  if (text === '') return 'The upstream rejected the request without giving a reason.'
  const isUnnamed = kind === 'unsupported-parameter' && param !== undefined && !text.includes(param)
  return isUnnamed ? publicText(`${param}: ${text}`) : text
}

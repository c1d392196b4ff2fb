import type { ErrorName } from '#errors/catalogue.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import { type UpstreamFailureText, upstreamFailure } from '#providers/upstream-failure.ts'
import { readFailure } from '../openai/failure/read-failure.ts'

/**
 * Classifies a rejection. Most error types are sufficient. The table has the errors that only their message reveals,
 * under a status and a type with another meaning.
 */
export function readMessagesFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const body = parseJsonObject(bodyText)
  const message = stringAt(objectAt(body ?? {}, 'error'), 'message') ?? ''
  const told = status < 500 ? sentences.find(({ pattern }) => pattern.test(message)) : undefined
  const text = told?.code === undefined ? bodyText : JSON.stringify({ error: { message, code: told.code } })
  const refusal = {
    ...readFailure(status, headers, text),
    ...(told?.code === noMoney ? { concernsRequestOnly: true as const } : {}),
  }
  const errorName = told?.errorName ?? (status === 413 ? 'bodyTooLarge' : undefined)
  const isOurs = refusal.errorName !== 'unknownUpstream4xx'
  return errorName === undefined || isOurs ? refusal : { ...refusal, errorName }
}

/** A failure inside a response with status 200, or undefined. */
export function failureIn(holder: JsonObject): UpstreamFailureText | undefined {
  const { error } = holder
  if (typeof error === 'string' && error !== '') return upstreamFailure(error)
  if (!isJsonObject(error)) return holder.type === 'error' ? upstreamFailure(unexplained) : undefined
  return upstreamFailure(stringAt(error, 'message') || unexplained, stringAt(error, 'type'))
}

const unexplained = 'The upstream ended the response with an error.'

interface Sentence {
  readonly pattern: RegExp
  /** The code that the shared classifier knows. */
  readonly code?: string
  readonly errorName?: ErrorName
}

const noMoney = 'billing_error'

// An error about our account is matched at the start of the message only: further on, the words may quote a client.
const sentences: readonly Sentence[] = [
  { pattern: /^your credit balance is too low/i, code: noMoney },
  { pattern: /^you have reached your specified (?:\w+ )?usage limits/i, code: noMoney },
  { pattern: /content filtering policy/i, code: 'content_filter' },
  { pattern: /^max_tokens: \d+ > \d+/, errorName: 'maxTokensInvalid' },
]

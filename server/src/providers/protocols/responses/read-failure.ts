import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import { type UpstreamFailureText, upstreamFailure } from '#providers/upstream-failure.ts'
import { readFailure } from '../openai/failure/read-failure.ts'

/**
 * Classifies a rejection. Only the account that encrypted a thought can read it, so another account may still answer
 * without it.
 */
export function readResponsesFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const refusal = readFailure(status, headers, bodyText)
  const { code } = objectAt(parseJsonObject(bodyText) ?? {}, 'error')
  return code === 'invalid_encrypted_content' ? { ...refusal, action: 'fail-over' } : refusal
}

/**
 * The failure that a response or an event of its stream reports, or undefined. An error event has its fields in an
 * object or next to its type; both forms occur.
 */
export function failureIn(holder: JsonObject): UpstreamFailureText | undefined {
  if (holder.type === 'error') {
    const { type: _, ...flat } = holder
    return failureOf(isJsonObject(holder.error) ? holder.error : flat)
  }
  const response = isJsonObject(holder.response) ? holder.response : holder
  const { error, status } = response
  if (isJsonObject(error)) return failureOf(error)
  if (typeof error === 'string' && error !== '') return upstreamFailure(error, stringAt(response, 'code'))
  const hasFailed = holder.type === 'response.failed' || status === 'failed' || status === 'cancelled'
  return hasFailed ? upstreamFailure(unexplained) : undefined
}

function failureOf(error: JsonObject): UpstreamFailureText {
  return upstreamFailure(stringAt(error, 'message') || unexplained, stringAt(error, 'code') ?? stringAt(error, 'type'))
}

const unexplained = 'The upstream ended the response with an error.'

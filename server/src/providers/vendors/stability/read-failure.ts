import { parseJsonObject, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'

/** `{id, name, errors}`: the name is the kind of error, and the errors are sentences. */
export function readStabilityFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const body = parseJsonObject(bodyText)
  if (body === undefined) return readFailure(status, headers, bodyText)
  const errors = Array.isArray(body.errors) ? body.errors.filter((each) => typeof each === 'string') : []
  const message = errors.join(' ') || (stringAt(body, 'message') ?? '')
  return readFailure(status, headers, JSON.stringify({ error: { message, code: stringAt(body, 'name') } }))
}

import { type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'

/** `{code, message, request_id}`, in which the code says more than the status. */
export function readDashscopeFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const body = parseJsonObject(bodyText)
  if (body === undefined) return readFailure(status, headers, bodyText)
  const code = stringAt(body, 'code') ?? ''
  const message = stringAt(body, 'message') ?? ''
  // Suspected infringement is also a content rejection, in words that no other upstream uses.
  const known = code.startsWith('IPInfringement') ? 'DataInspectionFailed' : code
  return readFailure(status, headers, JSON.stringify({ error: { message, code: known } }))
}

/** The same for a failure with status 200: its code determines the status under which it is classified. */
export function judgeDashscopeFailure(answer: JsonObject): UpstreamRefusal {
  const code = stringAt(answer, 'code') ?? ''
  const status = statuses.find(({ is }) => is.test(code))?.status ?? 500
  return { ...readDashscopeFailure(status, {}, JSON.stringify(answer)), status: 200 }
}

const statuses = [
  { is: /^(?:InvalidApiKey|Unauthorized)/, status: 401 },
  { is: /AccessDenied|^Forbidden/, status: 403 },
  { is: /^(?:ModelNotFound|Model\.NotFound)/, status: 404 },
  { is: /^(?:Throttling|LimitRequests)/, status: 429 },
  { is: /^(?:Invalid|BadRequest|DataInspection|IPInfringement|Arrearage)/, status: 400 },
] as const

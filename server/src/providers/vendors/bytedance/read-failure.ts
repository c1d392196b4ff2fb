import { objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'

/** OpenAI's error format with Ark's own codes, one of which reports rejected content. */
export function readArkFailure(status: number, headers: ResponseHeaders, bodyText: string): UpstreamRefusal {
  const error = objectAt(parseJsonObject(bodyText) ?? {}, 'error')
  if (!/RiskDetection/.test(stringAt(error, 'code') ?? '')) return readFailure(status, headers, bodyText)
  return readFailure(status, headers, JSON.stringify({ error: { ...error, code: 'SensitiveContentDetected' } }))
}

import { type ErrorRow, errorCatalogue } from '#errors/catalogue.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { reasonOf } from '#errors/reason-of.ts'
import type { JsonObject } from '#lib/json.ts'

/** The body of an error as OpenRouter writes it: the status as code, and the kind of error beside it. */
export function openRouterErrorBody(error: GatewayError): string {
  const { row, message } = error
  return JSON.stringify({ error: errorJson(row, message, reasonOf(error)) })
}

/** An error in a stream, of which only the body is known. */
export function streamedErrorJson({ code, message }: JsonObject): JsonObject {
  const reason = typeof code === 'string' ? code : undefined
  return errorJson(rowOf(code), typeof message === 'string' ? message : '', reason)
}

function errorJson(row: CodedRow, message: string, reason: string | undefined): JsonObject {
  const metadata = { error_type: errorTypeOf(row), ...(reason === undefined ? {} : { reason }) }
  return { code: row.status, message, metadata }
}

type CodedRow = Pick<ErrorRow, 'code' | 'status'>

function rowOf(code: unknown): CodedRow {
  const row = Object.values<ErrorRow>(errorCatalogue).find((each) => each.code === code)
  return row ?? errorCatalogue.internal
}

/** OpenRouter's kinds of errors, which its SDK lists. */
function errorTypeOf({ code, status }: CodedRow): string {
  return typesByCode.get(code) ?? typesByStatus.get(status) ?? (status < 500 ? 'invalid_request' : 'server')
}

const typesByCode: ReadonlyMap<string | number, string> = new Map([
  ['context_too_long', 'context_length_exceeded'],
  ['max_tokens_invalid', 'max_tokens_exceeded'],
  ['invalid_prompt', 'invalid_prompt'],
  ['content_filter', 'content_policy_violation'],
  ['content_moderation', 'content_policy_violation'],
  ['image_too_large', 'image_too_large'],
  ['invalid_image_type', 'unsupported_image_format'],
  ['invalid_image_url', 'invalid_image'],
  ['pipeline_error', 'server'],
])

const typesByStatus: ReadonlyMap<number, string> = new Map([
  [401, 'authentication'],
  [402, 'payment_required'],
  [403, 'permission_denied'],
  [404, 'not_found'],
  [408, 'timeout'],
  [410, 'not_found'],
  [413, 'payload_too_large'],
  [429, 'rate_limit_exceeded'],
  [502, 'provider_unavailable'],
  [503, 'provider_unavailable'],
  [504, 'timeout'],
])

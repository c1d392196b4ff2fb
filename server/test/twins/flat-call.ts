import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { RecordedCall } from './twin.ts'

/** Values by the path of their field, such as `1.body.messages.0.role`. */
export type Fields = ReadonlyMap<string, string>

/** The requests of one side and its reading of the responses, field by field. A repeated poll counts once. */
export function fieldsOf(calls: readonly RecordedCall[], answer: JsonValue): Fields {
  const fields = new Map<string, string>()
  withoutRepeats(calls).forEach((call, index) => {
    const at = `${index + 1}`
    fields.set(`${at}.method`, call.method)
    if (call.origin !== null) fields.set(`${at}.origin`, call.origin)
    fields.set(`${at}.path`, decodeURIComponent(call.path))
    for (const [name, value] of Object.entries(call.query)) fields.set(`${at}.query.${name}`, value)
    for (const [name, value] of Object.entries(call.headers)) {
      if (!isOwnAffair(name) && !(name === 'content-type' && call.body === null))
        fields.set(`${at}.header.${name}`, shownHeader(name, value))
    }
    flatten(call.body, `${at}.body`, fields)
  })
  flatten(answer, 'answer', fields)
  return fields
}

function withoutRepeats(calls: readonly RecordedCall[]): RecordedCall[] {
  return calls.filter((call, index) => !isRepeat(call, calls[index - 1]))
}

function isRepeat(call: RecordedCall, before: RecordedCall | undefined): boolean {
  return call.method === 'GET' && call.method === before?.method && call.path === before.path
}

/** Headers about the client or the connection, and not about the call. */
const ownAffairs = [
  /^(?:accept|accept-.*|cache-control|connection|content-length|cookie|expect|host|origin|sec-.*|transfer-encoding|user-agent)$/,
  /^x-stainless-|^x-fern-|^x-goog-api-client$|^x-amz-|^amz-sdk-|^x-api-source$|^x-runway-(?:sdk|client)|^idempotency-key$/,
  /^x-app$|^x-title$|^http-referer$|^x-request-id$|^x-client-|^speakeasy-|^x-pplx-|^x-source$|^x-deepgram-session-id$|^x-cartesia-client$/,
]

function isOwnAffair(name: string): boolean {
  return ownAffairs.some((pattern) => pattern.test(name))
}

function shownHeader(name: string, value: string): string {
  if (name === 'content-type') return value.split(';')[0] ?? ''
  // The scope of a signature; the rest is specific to the request.
  return value.startsWith('AWS4-HMAC-SHA256') ? (value.replace(/\/\d{8}\//, '/date/').split(',')[0] ?? '') : value
}

function flatten(value: JsonValue | undefined, path: string, fields: Map<string, string>): void {
  const isList = Array.isArray(value)
  if (!isList && !isJsonObject(value)) {
    if (value !== undefined && !(value === null && path.endsWith('.body'))) fields.set(path, shown(value))
    return
  }
  const entries = Object.entries(value)
  if (entries.length === 0) fields.set(path, isList ? '[]' : '{}')
  for (const [key, child] of entries) flatten(child, `${path}.${key}`, fields)
}

/** Each simulator listens on its own port. */
function shown(value: JsonValue): string {
  return JSON.stringify(value).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, 'http://upstream')
}

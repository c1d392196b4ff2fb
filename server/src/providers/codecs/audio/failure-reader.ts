import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { readFailure } from '#providers/protocols/openai/failure/read-failure.ts'
import type { UpstreamFailureText } from '../../upstream-failure.ts'
import type { ReadFailure } from '../media-request.ts'

/**
 * Classifies the rejections of a vendor with its own error format: `find` extracts the error text, and the common
 * classifier judges it.
 */
export function failureReader(find: (body: JsonObject) => UpstreamFailureText | undefined): ReadFailure {
  return (status, headers, bodyText) => {
    const found = find(parseJsonObject(bodyText) ?? {})
    return readFailure(status, headers, found === undefined ? bodyText : JSON.stringify({ error: found }))
  }
}

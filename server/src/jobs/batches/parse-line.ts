import type { BatchError } from '#domain/batches/batch.ts'
import { bodyLimits } from '#domain/inference/body-limits.ts'
import { isJsonObject, type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { scanJson } from '#lib/json-scan.ts'

export interface ParsedLine {
  readonly customId: string
  readonly body: JsonObject
}

type LineProblem = Omit<BatchError, 'line'>

const customIdMax = 512

/** A line of an input file, or what is wrong with it. */
export function parseLine(
  bytes: Buffer,
  { endpoint, bytesMax }: { endpoint: string; bytesMax: number },
): ParsedLine | LineProblem {
  if (bytes.length > bytesMax) {
    return problem('request_too_large', `A line can have at most ${bytesMax} bytes.`)
  }
  const verdict = scanJson(bytes, { ...bodyLimits, forbidsProto: true })
  const line = verdict.allowed ? parseJsonObject(bytes.toString('utf8')) : undefined
  if (line === undefined) return problem('invalid_json_line', 'This line is not parseable as valid JSON.')
  const customId = stringAt(line, 'custom_id') ?? ''
  if (customId === '' || customId.length > customIdMax) {
    return problem('invalid_custom_id', `custom_id must be a string of 1 to ${customIdMax} characters.`, 'custom_id')
  }
  if (customId.includes('\0') || !customId.isWellFormed()) {
    return problem('invalid_custom_id', 'custom_id must be valid Unicode without NUL.', 'custom_id')
  }
  if (line.method !== 'POST') return problem('invalid_method', 'method must be POST.', 'method')
  if (line.url !== endpoint) {
    return problem('mismatched_url', `url must be the endpoint of the batch, ${endpoint}.`, 'url')
  }
  const { body } = line
  if (!isJsonObject(body)) return problem('invalid_request', 'body must be an object.', 'body')
  if (body.stream === true) return problem('invalid_request', 'Lines of a batch cannot stream.', 'body.stream')
  if (body.background === true) {
    return problem('invalid_request', 'Lines of a batch cannot run in the background.', 'body.background')
  }
  // The earlier conversation would be read for each line before any of them pays.
  if (body.previous_response_id !== undefined && body.previous_response_id !== null) {
    return problem('invalid_request', 'Lines of a batch cannot continue a response.', 'body.previous_response_id')
  }
  return { customId, body }
}

export function isProblem(parsed: ParsedLine | LineProblem): parsed is LineProblem {
  return 'code' in parsed
}

function problem(code: string, message: string, param: string | null = null): LineProblem {
  return { code, message, param }
}

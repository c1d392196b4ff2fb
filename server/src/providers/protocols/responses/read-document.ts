import { isJsonObject, parseJsonObject } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { DocumentRead } from '#providers/protocol.ts'
import type { ResponsesQuirks } from '#providers/spec.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'
import { noteResponse } from './known-words.ts'
import { readEnd } from './read-end.ts'
import { failureIn } from './read-failure.ts'
import { readItem } from './read-output.ts'
import { readResponseUsage } from './read-usage.ts'

/** A whole response, or a failure, whatever the status. */
export function readResponse(bytes: Buffer, quirks: ResponsesQuirks, note: NoteUnknown = ignoreUnknown): DocumentRead {
  const response = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (response === undefined) return { ok: false, failure: upstreamFailure('The upstream response is not valid JSON.') }
  const failure = failureIn(response)
  if (failure !== undefined) return { ok: false, failure }
  if (!Array.isArray(response.output))
    return { ok: false, failure: upstreamFailure('The upstream response is not a Responses object.') }
  noteResponse(response, note)
  const parts = response.output.filter(isJsonObject).flatMap((item) => readItem(item, quirks))
  const end = readEnd(
    response,
    parts.some(({ kind }) => kind === 'tool-call'),
  )
  const choice = { parts, finishReason: end?.reason ?? null, nativeFinishReason: end?.native ?? null }
  return { ok: true, reply: { choices: [choice], usage: readResponseUsage(response) ?? null } }
}

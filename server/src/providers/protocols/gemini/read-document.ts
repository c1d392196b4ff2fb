import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { DocumentRead } from '#providers/protocol.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'
import { createFrameReader } from './frame-reader.ts'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'

/** A document is a stream with one frame, or with several in an array. */
export function readDocument(bytes: Buffer, note: NoteUnknown = ignoreUnknown): DocumentRead {
  const frames = parseFrames(bytes)
  if (frames === undefined) return failed('The upstream response is not valid JSON.')
  const reader = createFrameReader(note)
  const parts = frames.flatMap((frame) => reader.read(frame))
  const failure = parts.find((part) => part.kind === 'failed')
  if (failure !== undefined) {
    const { message, code } = failure
    return { ok: false, failure: upstreamFailure(message, code) }
  }
  const reply = joinStreamParts(parts)
  return reply.choices.length === 0 ? failed('The upstream returned no candidates.') : { ok: true, reply }
}

function parseFrames(bytes: Buffer): JsonObject[] | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    const frames: unknown[] = Array.isArray(value) ? value : [value]
    return frames.every(isJsonObject) ? frames : undefined
  } catch {
    return undefined
  }
}

function failed(message: string): DocumentRead {
  return { ok: false, failure: upstreamFailure(message) }
}

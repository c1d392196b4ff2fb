import { nativeReason } from '#domain/inference/finish-reason.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { withSearches } from '#domain/inference/usage.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, stringAt } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import { type UpstreamFailureText, upstreamFailure } from '#providers/upstream-failure.ts'
import { type CandidateReader, createCandidateReader } from './candidate-reader.ts'
import { noteFrame } from './known-words.ts'
import { readUsage } from './read-usage.ts'
import { createSearchCounter } from './search-counter.ts'

/** Reads the frames of one response. A document counts as a stream with one frame. */
interface FrameReader {
  read(frame: JsonObject): StreamPart[]
  /** Whether every candidate has finished, or the prompt was blocked. */
  readonly isFinished: boolean
}

export function createFrameReader(note: NoteUnknown = ignoreUnknown): FrameReader {
  const candidates = new Map<number, CandidateReader>()
  const searches = createSearchCounter()
  let isBlocked = false

  function read(frame: JsonObject): StreamPart[] {
    try {
      return readFrame(frame)
    } catch {
      // The arguments are nested so deep that they cannot be serialized again.
      return [{ kind: 'failed', message: 'The upstream sent an unreadable event.' }]
    }
  }

  function readFrame(frame: JsonObject): StreamPart[] {
    const failure = failureIn(frame)
    if (failure !== undefined) return [{ kind: 'failed', ...failure }]
    noteFrame(frame, note)
    const parts = [...readCandidates(frame), ...readBlock(frame)]
    searches.note(frame)
    const classes = readUsage(frame)
    if (classes === undefined) return parts
    const usage = withSearches(classes, { webSearches: searches.billed })
    return [...parts, { kind: 'usage-counted', usage, isFinal: isFinished() }]
  }

  function readCandidates(frame: JsonObject): StreamPart[] {
    if (!Array.isArray(frame.candidates)) return []
    const responseId = stringAt(frame, 'responseId')
    return frame.candidates.filter(isJsonObject).flatMap((candidate, position) => {
      const choice = countAt(candidate, 'index') ?? position
      const reader = candidates.get(choice) ?? createCandidateReader(choice)
      candidates.set(choice, reader)
      return reader.read(candidate, responseId)
    })
  }

  /** A blocked prompt gets no output but is billed. */
  function readBlock(frame: JsonObject): StreamPart[] {
    const native = stringAt(objectAt(frame, 'promptFeedback'), 'blockReason')
    if (native === undefined || native === '' || candidates.size > 0 || isBlocked) return []
    isBlocked = true
    return [{ kind: 'finished', choice: 0, reason: 'content_filter', native: nativeReason(native) }]
  }

  function isFinished(): boolean {
    return isBlocked || (candidates.size > 0 && [...candidates.values()].every((reader) => reader.isFinished))
  }

  return {
    read,
    get isFinished() {
      return isFinished()
    },
  }
}

function failureIn({ error }: JsonObject): UpstreamFailureText | undefined {
  if (!isJsonObject(error)) return undefined
  const message = stringAt(error, 'message') || 'The upstream ended the response with an error.'
  const code = stringAt(error, 'status') || error.code
  return upstreamFailure(message, typeof code === 'string' || typeof code === 'number' ? code : undefined)
}

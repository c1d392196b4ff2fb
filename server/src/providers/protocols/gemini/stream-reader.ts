import type { StreamPart } from '#domain/inference/stream-part.ts'
import { parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import { createFrameReader } from './frame-reader.ts'
import { createJsonArraySplitter } from './json-array-splitter.ts'

/** 32 MiB, because one frame may contain a whole image. */
const frameBytesMax = 32 * 1_024 * 1_024

/**
 * Reads a response's frames as events or, if an upstream ignores `alt=sse`, as the elements of one array. Gemini has no
 * end marker: the response is complete when the connection closes after every candidate has finished.
 */
export function createStreamReader(note: NoteUnknown = ignoreUnknown): PartReader {
  const frames = createFrameReader(note)
  let collected: StreamPart[] = []
  let hasFailed = false
  let splitter: { push(bytes: Buffer): void; end(): void } | null = null

  function takeFrame(payload: Buffer): void {
    if (hasFailed) return
    const text = payload.toString('utf8')
    // Servers that imitate Gemini send this marker, which means nothing here.
    if (text === '[DONE]') return
    const frame = parseJsonObject(text)
    if (frame === undefined) fail('The upstream sent an event that is not valid JSON.')
    else add(frames.read(frame))
  }

  function add(parts: StreamPart[]): void {
    for (const part of parts) {
      collected.push(part)
      if (part.kind === 'failed') hasFailed = true
    }
  }

  function fail(message: string): void {
    if (!hasFailed) add([{ kind: 'failed', message }])
  }

  function onOversize(): void {
    fail('The upstream sent an oversized event.')
  }

  function chooseSplitter(first: number): { push(bytes: Buffer): void; end(): void } {
    if (first !== openBracket && first !== openBrace) {
      return createSseSplitter({ onEvent: takeFrame, eventBytesMax: frameBytesMax, onOversize })
    }
    const array = createJsonArraySplitter({ onObject: takeFrame, objectBytesMax: frameBytesMax, onOversize })
    return { push: array.push, end: () => undefined }
  }

  function taken(): StreamPart[] {
    const parts = collected
    collected = []
    return parts
  }

  return {
    push(bytes) {
      if (hasFailed) return []
      // Leading whitespace means nothing, whether it arrives alone or with the data after it.
      const start = splitter === null ? bytes.findIndex((byte) => !spaces.has(byte)) : 0
      if (start === -1) return []
      splitter ??= chooseSplitter(bytes[start] ?? 0)
      splitter.push(bytes.subarray(start))
      return taken()
    },
    end() {
      if (hasFailed) return []
      splitter?.end()
      if (frames.isFinished && !hasFailed) collected.push({ kind: 'ended' })
      return taken()
    },
  }
}

const spaces: ReadonlySet<number> = new Set([9, 10, 13, 32])
const openBracket = 91
const openBrace = 123

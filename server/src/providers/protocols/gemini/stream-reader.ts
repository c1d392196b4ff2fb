import type { StreamPart } from '#domain/inference/stream-part.ts'
import { parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import { createFrameReader } from './frame-reader.ts'
import { createJsonArraySplitter } from './json-array-splitter.ts'

/** 32 MiB, because one frame may hold a whole picture. */
const frameBytesMax = 32 * 1_024 * 1_024

/**
 * Reads an answer's frames as events or, where a host disregards `alt=sse`, as the members of one array. Gemini has no
 * end mark: the answer has ended when the connection closes after every candidate has finished.
 */
export function createStreamReader(note: NoteUnknown = ignoreUnknown): PartReader {
  const frames = createFrameReader(note)
  let collected: StreamPart[] = []
  let hasFailed = false
  let splitter: { push(bytes: Buffer): void; end(): void } | null = null

  function takeFrame(payload: Buffer): void {
    if (hasFailed) return
    const text = payload.toString('utf8')
    // Servers that imitate Gemini borrow this mark, which says nothing here.
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
      // Spaces ahead of everything say nothing, whether they come alone or with what follows.
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

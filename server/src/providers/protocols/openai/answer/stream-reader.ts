import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { chunkFailure } from '../failure/chunk-failure.ts'
import { chunkParts } from './chunk-parts.ts'
import { noteChunk } from './known-words.ts'
import { readUsage } from './read-usage.ts'
import { createChunkState, tidyChunk } from './tidy-chunk.ts'

/** Reads an OpenAI-compatible event stream, with the deviations of its upstream. */
export function createOpenAiStreamReader(quirks: OpenAiQuirks, note: NoteUnknown = ignoreUnknown): PartReader {
  const state = createChunkState()
  let parts: StreamPart[] = []
  let usage: Usage | null = null
  let hasFinished = false
  let isOver = false

  const splitter = createSseSplitter({
    onEvent: (payload) => takeEvent(payload.toString('utf8').trimEnd()),
    eventBytesMax,
    onOversize: () => stop({ kind: 'failed', message: 'The upstream sent an oversized event.' }),
  })

  function takeEvent(text: string): void {
    if (isOver || text === '') return
    if (text === '[DONE]') return stop({ kind: 'ended' })
    const chunk = parseJsonObject(text)
    if (chunk === undefined)
      return stop({ kind: 'failed', message: 'The upstream sent an event that is not valid JSON.' })
    const failure = chunkFailure(chunk, quirks)
    if (failure !== undefined) return stop({ kind: 'failed', ...failure })
    takeChunk(chunk)
  }

  function takeChunk(chunk: JsonObject): void {
    const counted = readUsage(chunk, quirks)
    usage = counted ?? usage
    noteChunk(chunk, quirks, note)
    tidyChunk(chunk, state, quirks)
    const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isJsonObject) : []
    const said = choices.flatMap(chunkParts)
    parts.push(...said)
    const finishes = said.some(({ kind }) => kind === 'finished')
    hasFinished ||= finishes
    // A running count may still grow. A count that arrives with or after the finish, or without choices, is final.
    const isFinal = hasFinished || choices.length === 0
    if (usage !== null && (counted !== undefined || finishes)) parts.push({ kind: 'usage-counted', usage, isFinal })
  }

  function stop(last: StreamPart): void {
    isOver = true
    parts.push(last)
  }

  function taken(): StreamPart[] {
    const given = parts
    parts = []
    return given
  }

  return {
    push(bytes) {
      if (!isOver) splitter.push(bytes)
      return taken()
    },
    end() {
      if (!isOver) splitter.end()
      return taken()
    },
  }
}

// An image may arrive whole in one event.
const eventBytesMax = 32 * 1024 * 1024

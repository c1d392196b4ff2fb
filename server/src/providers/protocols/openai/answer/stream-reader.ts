import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { Usage } from '#domain/inference/usage.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { withTextTemplate } from '#providers/text-event-template.ts'
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

  const read = withTextTemplate({ readEvent, textOf: (chunk) => textOf(chunk, quirks) })
  const splitter = createSseSplitter({
    onEvent: (payload) => parts.push(...read(payload.toString('utf8').trimEnd())),
    eventBytesMax,
    onOversize: () => parts.push(...stop({ kind: 'failed', message: 'The upstream sent an oversized event.' })),
  })

  function readEvent(text: string): StreamPart[] {
    if (isOver || text === '') return []
    if (text === '[DONE]') return stop({ kind: 'ended' })
    const chunk = parseJsonObject(text)
    if (chunk === undefined)
      return stop({ kind: 'failed', message: 'The upstream sent an event that is not valid JSON.' })
    const failure = chunkFailure(chunk, quirks)
    if (failure !== undefined) return stop({ kind: 'failed', ...failure })
    return readChunk(chunk)
  }

  function readChunk(chunk: JsonObject): StreamPart[] {
    const counted = readUsage(chunk, quirks)
    usage = counted ?? usage
    noteChunk(chunk, quirks, note)
    tidyChunk(chunk, state, quirks)
    const choices = Array.isArray(chunk.choices) ? chunk.choices.filter(isJsonObject) : []
    const said = choices.flatMap(chunkParts)
    const finishes = said.some(({ kind }) => kind === 'finished')
    hasFinished ||= finishes
    // A running count may still grow. A count that arrives with or after the finish, or without choices, is final.
    const isFinal = hasFinished || choices.length === 0
    if (usage !== null && (counted !== undefined || finishes)) said.push({ kind: 'usage-counted', usage, isFinal })
    return said
  }

  function stop(last: StreamPart): StreamPart[] {
    isOver = true
    return [last]
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

/**
 * Undefined for a chunk whose unknown words are reported every time. Thinking tags need no care: after the first text
 * of a choice, its texts pass unchanged.
 */
function textOf(chunk: JsonObject, quirks: OpenAiQuirks): JsonValue | undefined {
  const choices = objectsIn(chunk.choices)
  const [choice] = choices
  if (choice === undefined || choices.length > 1) return undefined
  let hasUnknown = false
  noteChunk(chunk, quirks, () => {
    hasUnknown = true
  })
  return hasUnknown ? undefined : objectAt(choice, 'delta').content
}

// An image may arrive whole in one event.
const eventBytesMax = 32 * 1024 * 1024

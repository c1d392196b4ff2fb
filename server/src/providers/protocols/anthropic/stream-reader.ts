import type { StreamPart } from '#domain/inference/stream-part.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import { withTextTemplate } from '#providers/text-event-template.ts'
import { noteMessage } from './known-words.ts'
import { failureIn } from './read-failure.ts'
import { readStop } from './read-stop.ts'
import { mergeUsage, readMessageUsage } from './read-usage.ts'
import { StreamBlocks } from './stream-blocks.ts'

/** Reads one stream of Messages events. Unknown events and blocks are not a failure. */
export function createMessagesReader(note: NoteUnknown = ignoreUnknown): PartReader {
  const message = new StreamedMessage(note)
  const read = withTextTemplate({
    readEvent: (payload) => message.take(payload),
    textOf: (event) => (event.type === 'content_block_delta' ? objectAt(event, 'delta').text : undefined),
  })
  let parts: StreamPart[] = []
  const splitter = createSseSplitter({
    onEvent: (payload) => parts.push(...read(payload.toString('utf8'))),
    eventBytesMax,
    onOversize: () => parts.push(...message.fail('The upstream sent an oversized event.')),
  })
  const taken = (): StreamPart[] => {
    const given = parts
    parts = []
    return given
  }
  return {
    push: (bytes) => {
      splitter.push(bytes)
      return taken()
    },
    end: () => {
      splitter.end()
      return taken()
    },
  }
}

/** A block that arrives whole, such as a search result, may be large. A larger event is a broken stream. */
const eventBytesMax = 8 * 1_024 * 1_024

class StreamedMessage {
  readonly #note: NoteUnknown
  readonly #blocks = new StreamBlocks()
  #usage: JsonObject = {}
  #isFinished = false
  #isOver = false

  constructor(note: NoteUnknown) {
    this.#note = note
  }

  take(payload: string): StreamPart[] {
    if (this.#isOver || payload.trim() === '') return []
    if (payload.trimEnd() === '[DONE]') return this.#end()
    const event = parseJsonObject(payload)
    if (event === undefined) return this.fail('The upstream sent an event that is not valid JSON.')
    const failure = failureIn(event)
    if (failure !== undefined) return this.fail(failure.message, failure.code)
    noteMessage(event, this.#note)
    return this.#takeEvent(event)
  }

  fail(message: string, code?: string | number): StreamPart[] {
    if (this.#isOver) return []
    this.#isOver = true
    return [{ kind: 'failed', message, ...(code === undefined ? {} : { code }) }]
  }

  #takeEvent(event: JsonObject): StreamPart[] {
    const index = countAt(event, 'index') ?? 0
    switch (event.type) {
      case 'message_start':
        return this.#start(objectAt(event, 'message'))
      case 'content_block_start':
        return this.#blocks.start(index, objectAt(event, 'content_block'))
      case 'content_block_delta':
        return this.#blocks.add(index, objectAt(event, 'delta'))
      case 'content_block_stop':
        return this.#blocks.stop(index)
      case 'message_delta':
        return [...this.#finish(objectAt(event, 'delta')), ...this.#count(event)]
      case 'message_stop':
        return [...this.#count(event), ...this.#end()]
      default:
        return []
    }
  }

  /** Output of an aborted first attempt cannot be taken back, but its usage does not belong to the second. */
  #start(message: JsonObject): StreamPart[] {
    this.#blocks.forget()
    this.#usage = objectAt(message, 'usage')
    const usage = readMessageUsage(this.#usage)
    return usage === undefined ? [] : [{ kind: 'usage-counted', usage, isFinal: false }]
  }

  #finish(delta: JsonObject): StreamPart[] {
    const stop = readStop(delta, this.#blocks.hasToolCalls)
    if (stop === undefined || this.#isFinished) return []
    this.#isFinished = true
    const parts = this.#blocks.stopAll()
    if (stop.explanation !== '') parts.push({ kind: 'refusal-added', choice: 0, text: stop.explanation })
    parts.push({ kind: 'finished', choice: 0, reason: stop.reason, native: stop.native, ...stop.sequence })
    return parts
  }

  /** The count in the start event is a placeholder. Only a count that arrives with or after the end is final. */
  #count({ usage: reported }: JsonObject): StreamPart[] {
    if (!isJsonObject(reported)) return []
    this.#usage = mergeUsage(this.#usage, reported)
    const usage = readMessageUsage(this.#usage)
    if (usage === undefined) return []
    const isFinal = this.#isFinished && countAt(reported, 'output_tokens') !== undefined
    return [{ kind: 'usage-counted', usage, isFinal }]
  }

  #end(): StreamPart[] {
    this.#isOver = true
    return [...this.#blocks.stopAll(), { kind: 'ended' }]
  }
}

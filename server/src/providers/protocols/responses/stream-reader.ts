import type { StreamPart } from '#domain/inference/stream-part.ts'
import { countAt, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import type { ResponsesQuirks } from '#providers/spec.ts'
import { noteResponseEvent } from './known-words.ts'
import { readEnd } from './read-end.ts'
import { failureIn } from './read-failure.ts'
import { readResponseUsage } from './read-usage.ts'
import { StreamItems } from './stream-items.ts'

/** Reads one stream of Responses events. Unknown events and items are not a failure. */
export function createResponsesReader(quirks: ResponsesQuirks, note: NoteUnknown = ignoreUnknown): PartReader {
  const response = new StreamedResponse(quirks, note)
  let parts: StreamPart[] = []
  const splitter = createSseSplitter({
    onEvent: (payload) => parts.push(...response.take(payload.toString('utf8'))),
    eventBytesMax,
    onOversize: () => parts.push(...response.fail('The upstream sent an oversized event.')),
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

/** The last event repeats the whole response. A larger event is a broken stream. */
const eventBytesMax = 32 * 1_024 * 1_024

class StreamedResponse {
  readonly #items: StreamItems
  readonly #note: NoteUnknown
  #isOver = false

  constructor(quirks: ResponsesQuirks, note: NoteUnknown) {
    this.#note = note
    this.#items = new StreamItems(quirks)
  }

  take(payload: string): StreamPart[] {
    if (this.#isOver || payload.trim() === '' || payload.trimEnd() === '[DONE]') return []
    const event = parseJsonObject(payload)
    if (event === undefined) return this.fail('The upstream sent an event that is not valid JSON.')
    const failure = failureIn(event)
    if (failure !== undefined) return this.fail(failure.message, failure.code)
    noteResponseEvent(event, this.#note)
    return this.#takeEvent(event)
  }

  fail(message: string, code?: string | number): StreamPart[] {
    if (this.#isOver) return []
    this.#isOver = true
    return [{ kind: 'failed', message, ...(code === undefined ? {} : { code }) }]
  }

  #takeEvent(event: JsonObject): StreamPart[] {
    const index = countAt(event, 'output_index') ?? 0
    const delta = stringAt(event, 'delta') ?? ''
    switch (event.type) {
      case 'response.output_item.added':
        return this.#items.start(index, objectAt(event, 'item'))
      case 'response.output_text.delta':
        return this.#items.addText(index, delta)
      case 'response.refusal.delta':
        return this.#items.addRefusal(index, delta)
      case 'response.reasoning_summary_text.delta':
        return this.#items.addSummary(index, countAt(event, 'summary_index') ?? 0, delta)
      case 'response.reasoning_text.delta':
        return this.#items.addThought(index, delta)
      case 'response.function_call_arguments.delta':
        return this.#items.addArguments(index, delta)
      case 'response.output_item.done':
        return this.#items.end(index, objectAt(event, 'item'))
      case 'response.completed':
      case 'response.incomplete':
        return this.#end(objectAt(event, 'response'))
      default:
        return []
    }
  }

  #end(response: JsonObject): StreamPart[] {
    this.#isOver = true
    const parts = this.#items.endAll(response.output)
    const end = readEnd(response, this.#items.hasToolCalls)
    if (end !== undefined) parts.push({ kind: 'finished', choice: 0, ...end })
    const usage = readResponseUsage(response)
    if (usage !== undefined) parts.push({ kind: 'usage-counted', usage, isFinal: true })
    return [...parts, { kind: 'ended' }]
  }
}

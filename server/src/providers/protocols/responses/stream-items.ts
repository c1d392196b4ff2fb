import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import type { ResponsesQuirks } from '#providers/spec.ts'
import { betweenSummaries, readItem } from './read-output.ts'

/** An output item while it arrives. */
interface OpenItem {
  readonly id?: string
  /** For a function call: its index among the calls. */
  readonly toolIndex?: number
  /** Characters that arrived as deltas. */
  streamed: number
  /** For a thought: the summary that is being written. */
  summaryIndex: number
}

/**
 * The output items of a streamed response, by their index in the output. Upstreams send deltas and then the whole item.
 * Content that no delta contained is taken from the whole item.
 */
export class StreamItems {
  readonly #quirks: ResponsesQuirks
  readonly #open = new Map<number, OpenItem>()
  readonly #ended = new Set<number>()
  #toolCount = 0

  constructor(quirks: ResponsesQuirks) {
    this.#quirks = quirks
  }

  get hasToolCalls(): boolean {
    return this.#toolCount > 0
  }

  start(index: number, item: JsonObject): StreamPart[] {
    if (this.#open.has(index) || this.#ended.has(index)) return []
    const id = stringAt(item, 'id')
    const open = { ...(id === undefined ? {} : { id }), streamed: 0, summaryIndex: 0 }
    if (item.type !== 'function_call') {
      this.#open.set(index, open)
      return []
    }
    const toolIndex = this.#toolCount
    this.#toolCount += 1
    this.#open.set(index, { ...open, toolIndex })
    const callId = stringAt(item, 'call_id') ?? id ?? ''
    return [{ kind: 'tool-call-started', choice: 0, index: toolIndex, id: callId, name: stringAt(item, 'name') ?? '' }]
  }

  addText(index: number, text: string): StreamPart[] {
    this.#stream(index, text)
    return text === '' ? [] : [{ kind: 'text-added', choice: 0, text }]
  }

  addRefusal(index: number, text: string): StreamPart[] {
    this.#stream(index, text)
    return text === '' ? [] : [{ kind: 'refusal-added', choice: 0, text }]
  }

  addSummary(index: number, summaryIndex: number, text: string): StreamPart[] {
    const open = this.#stream(index, text)
    if (text === '') return []
    const isNext = summaryIndex > open.summaryIndex
    open.summaryIndex = summaryIndex
    return [this.#thought(open, isNext ? betweenSummaries + text : text, true)]
  }

  addThought(index: number, text: string): StreamPart[] {
    const open = this.#stream(index, text)
    return text === '' ? [] : [this.#thought(open, text, false)]
  }

  addArguments(index: number, json: string): StreamPart[] {
    const open = this.#open.get(index)
    if (open?.toolIndex === undefined || json === '') return []
    open.streamed += json.length
    return [{ kind: 'tool-call-added', choice: 0, index: open.toolIndex, json }]
  }

  end(index: number, item: JsonObject): StreamPart[] {
    if (this.#ended.has(index)) return []
    const started = this.start(index, item)
    const open = this.#stream(index, '')
    this.#ended.add(index)
    return [...started, ...readItem(item, this.#quirks).flatMap((part) => this.#rest(part, open))]
  }

  /** Items of the whole response that were never announced separately. */
  endAll(output: JsonValue | undefined): StreamPart[] {
    const items = Array.isArray(output) ? output : []
    return items.flatMap((item, index) => (isJsonObject(item) ? this.end(index, item) : []))
  }

  /** The content of the whole item beyond its deltas. */
  #rest(part: ReturnType<typeof readItem>[number], open: OpenItem): StreamPart[] {
    const isUntold = open.streamed === 0
    switch (part.kind) {
      case 'text':
        return isUntold ? [{ kind: 'text-added', choice: 0, text: part.text }] : []
      case 'refusal':
        return isUntold ? [{ kind: 'refusal-added', choice: 0, text: part.text }] : []
      case 'tool-call': {
        const json = isUntold ? part.argumentsJson : ''
        if (open.toolIndex === undefined || json === '') return []
        return [{ kind: 'tool-call-added', choice: 0, index: open.toolIndex, json }]
      }
      case 'reasoning': {
        const { text, encrypted, isSummary = false, id } = part
        const told = isUntold && text !== '' ? [this.#thought(open, text, isSummary)] : []
        if (encrypted === undefined) return told
        const { thoughts: format } = this.#quirks
        const named = (open.id ?? id) === undefined ? {} : { id: open.id ?? id ?? '' }
        return [...told, { kind: 'reasoning-encrypted', choice: 0, data: encrypted, format, ...named }]
      }
      case 'opaque':
        return [{ kind: 'opaque-added', choice: 0, part }]
      default:
        return []
    }
  }

  #thought({ id }: OpenItem, text: string, isSummary: boolean): StreamPart {
    return {
      kind: 'reasoning-added',
      choice: 0,
      text,
      ...(isSummary ? { isSummary } : {}),
      format: this.#quirks.thoughts,
      ...(id === undefined ? {} : { id }),
    }
  }

  /** Text may arrive before its item is announced. A call without its name waits for the whole item. */
  #stream(index: number, piece: string): OpenItem {
    const open = this.#open.get(index) ?? { streamed: 0, summaryIndex: 0 }
    open.streamed += piece.length
    this.#open.set(index, open)
    return open
  }
}

import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { inputText, toolCallId } from './read-block.ts'

/**
 * The content blocks of one streamed message. A block is open from its start until its stop. Text and arguments pass
 * through as they arrive, while signatures and unknown blocks are kept until the stop, because they are useful only as
 * a whole. Blocks are emitted one after the other: if tool calls are interleaved, the later ones wait for the first to
 * stop.
 */
export class StreamBlocks {
  /** The first entry is the block that passes through. */
  #queue: Entry[] = []
  #toolCount = 0

  get hasToolCalls(): boolean {
    return this.#toolCount > 0
  }

  start(index: number, content: JsonObject): StreamPart[] {
    const [live] = this.#queue
    // Only tool calls are ever interleaved. Any other open block lacks its stop.
    const isForgotten = live !== undefined && (live.block.kind !== 'tool' || live.index === index)
    const closed = isForgotten ? this.stop(live.index) : []
    const entry = this.#enter(index, this.#blockFor(content))
    return [...closed, ...this.#pass(entry, opening(entry.block, content))]
  }

  add(index: number, delta: JsonObject): StreamPart[] {
    const entry = this.#find(index) ?? this.#unannounced(index, delta)
    return entry === undefined ? [] : this.#pass(entry, addition(entry.block, delta))
  }

  stop(index: number): StreamPart[] {
    const entry = this.#find(index)
    if (entry === undefined) return []
    const parts = this.#pass(entry, closing(entry.block))
    entry.isStopped = true
    while (this.#queue[0]?.isStopped === true) {
      this.#queue.shift()
      const [next] = this.#queue
      if (next !== undefined) parts.push(...next.held.splice(0))
    }
    return parts
  }

  /** Some upstreams do not stop their blocks. */
  stopAll(): StreamPart[] {
    return [...this.#queue].flatMap(({ index }) => this.stop(index))
  }

  /** A restarted message numbers its blocks from 0 again. Tool calls already announced keep their numbers. */
  forget(): void {
    this.#queue = []
  }

  #find(index: number): Entry | undefined {
    return this.#queue.find((entry) => entry.index === index && !entry.isStopped)
  }

  #enter(index: number, block: Block): Entry {
    const entry = { index, block, held: [], isStopped: false }
    this.#queue.push(entry)
    return entry
  }

  #pass(entry: Entry, parts: StreamPart[]): StreamPart[] {
    if (entry === this.#queue[0]) return parts
    entry.held.push(...parts)
    return []
  }

  #blockFor(content: JsonObject): Block {
    switch (content.type) {
      case 'text':
        return { kind: 'text' }
      case 'thinking':
        return { kind: 'thinking', signature: stringAt(content, 'signature') ?? '', hasText: false }
      case 'redacted_thinking':
        return { kind: 'redacted' }
      case 'tool_use': {
        const index = this.#toolCount
        this.#toolCount += 1
        return { kind: 'tool', index, id: toolCallId(content, index), input: inputText(content), hasJson: false }
      }
      default:
        return { kind: 'opaque', value: { ...content }, json: '' }
    }
  }

  /** The type of a delta without a start shows the kind of its block, except for tool calls. */
  #unannounced(index: number, { type }: JsonObject): Entry | undefined {
    if (type !== 'text_delta' && type !== 'thinking_delta') return undefined
    return this.#enter(index, this.#blockFor({ type: type === 'text_delta' ? 'text' : 'thinking' }))
  }
}

interface Entry {
  readonly index: number
  readonly block: Block
  /** Parts that wait for earlier blocks to stop. */
  readonly held: StreamPart[]
  isStopped: boolean
}

type Block =
  | { readonly kind: 'text' | 'redacted' }
  | { readonly kind: 'thinking'; signature: string; hasText: boolean }
  | {
      readonly kind: 'tool'
      readonly index: number
      readonly id: string
      /** The input in the start event. It counts only if no arguments follow. */
      readonly input: string
      hasJson: boolean
    }
  | { readonly kind: 'opaque'; readonly value: JsonObject; json: string }

function opening(block: Block, content: JsonObject): StreamPart[] {
  switch (block.kind) {
    case 'text':
      return addition(block, content)
    case 'thinking':
      return addition(block, { thinking: stringAt(content, 'thinking') ?? '' })
    case 'redacted': {
      const data = stringAt(content, 'data') ?? ''
      return [{ kind: 'reasoning-encrypted', choice: 0, data, format: 'anthropic' }]
    }
    case 'tool': {
      const name = stringAt(content, 'name') ?? ''
      return [{ kind: 'tool-call-started', choice: 0, index: block.index, id: block.id, name }]
    }
    case 'opaque':
      return []
  }
}

function addition(block: Block, delta: JsonObject): StreamPart[] {
  switch (block.kind) {
    case 'text': {
      const text = stringAt(delta, 'text') ?? ''
      return text === '' ? [] : [{ kind: 'text-added', choice: 0, text }]
    }
    case 'thinking': {
      // The signature covers the whole block, so a second signature replaces the first.
      block.signature = stringAt(delta, 'signature') || block.signature
      const text = stringAt(delta, 'thinking') ?? ''
      block.hasText ||= text !== ''
      return text === '' ? [] : [{ kind: 'reasoning-added', choice: 0, text, format: 'anthropic' }]
    }
    case 'tool': {
      const json = stringAt(delta, 'partial_json') ?? ''
      block.hasJson ||= json !== ''
      return json === '' ? [] : [{ kind: 'tool-call-added', choice: 0, index: block.index, json }]
    }
    case 'opaque':
      grow(block, delta)
      return []
    case 'redacted':
      return []
  }
}

/**
 * Deltas of unknown blocks: strings are appended, everything else is replaced, and an input string is parsed at the
 * end.
 */
function grow(block: Extract<Block, { kind: 'opaque' }>, delta: JsonObject): void {
  for (const [key, piece] of Object.entries(delta)) {
    if (key === 'type' || key === '__proto__') continue
    if (key === 'partial_json') block.json += typeof piece === 'string' ? piece : ''
    else if (typeof piece === 'string') block.value[key] = (stringAt(block.value, key) ?? '') + piece
    else block.value[key] = piece
  }
}

function closing(block: Block): StreamPart[] {
  switch (block.kind) {
    case 'text':
    case 'redacted':
      return []
    case 'thinking': {
      if (block.signature === '') return []
      const sealed: StreamPart = {
        kind: 'reasoning-signed',
        choice: 0,
        signature: block.signature,
        format: 'anthropic',
      }
      // Hidden thinking is also a block, and its signature must not be attached to another block.
      return block.hasText ? [sealed] : [{ kind: 'reasoning-added', choice: 0, text: '', format: 'anthropic' }, sealed]
    }
    case 'tool':
      // Clients parse the arguments, and an empty string is not JSON.
      return block.hasJson ? [] : [{ kind: 'tool-call-added', choice: 0, index: block.index, json: block.input }]
    case 'opaque': {
      const input = block.json === '' ? undefined : parseJsonObject(block.json)
      const value = isJsonObject(input) ? { ...block.value, input } : block.value
      return [{ kind: 'opaque-added', choice: 0, part: { kind: 'opaque', protocol: 'anthropic', value } }]
    }
  }
}

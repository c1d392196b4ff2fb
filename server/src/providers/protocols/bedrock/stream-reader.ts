import type { StreamPart } from '#domain/inference/stream-part.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { PartReader } from '#providers/protocol.ts'
import { readFinish } from './finish-reason.ts'
import { createFrameSplitter, type Frame } from './frame-splitter.ts'
import { noteConverseEvent } from './known-words.ts'
import { closeBlock, type OpenBlock, openBlock } from './open-block.ts'
import { readExceptionFrame } from './read-failure.ts'
import { readUsage } from './read-usage.ts'

/**
 * Reads a Converse stream. It has no end marker: it is complete when both `messageStop` and `metadata`, which holds the
 * usage, have arrived in any order.
 */
export function createStreamReader(note: NoteUnknown = ignoreUnknown): PartReader {
  const reading = new Reading(note)
  const splitter = createFrameSplitter({
    onFrame: (frame) => reading.takeFrame(frame),
    onBroken: (reason) => reading.fail({ message: `The upstream sent a corrupt stream: ${reason}.` }),
  })
  return {
    push(bytes) {
      splitter.push(bytes)
      return reading.takeParts()
    },
    end: () => [],
  }
}

class Reading {
  readonly #note: NoteUnknown
  #parts: StreamPart[] = []
  #blocks = new Map<number, OpenBlock>()
  #toolCount = 0
  #hasFinished = false
  #hasMetadata = false
  #isOver = false

  constructor(note: NoteUnknown) {
    this.#note = note
  }

  takeParts(): StreamPart[] {
    const parts = this.#parts
    this.#parts = []
    return parts
  }

  fail(failure: { message: string; code?: string | number }): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#parts.push({ kind: 'failed', ...failure })
  }

  takeFrame({ headers, payload }: Frame): void {
    if (this.#isOver) return
    const text = payload.toString('utf8')
    const messageType = headers.get(':message-type')
    if (messageType === 'exception') return this.fail(readExceptionFrame(headers.get(':exception-type') ?? '', text))
    if (messageType === 'error') {
      const message = headers.get(':error-message') ?? ''
      return this.fail(readExceptionFrame(headers.get(':error-code') ?? '', JSON.stringify({ message })))
    }
    const event = parseJsonObject(text)
    if (event === undefined) return this.fail({ message: 'The upstream sent an event that is not valid JSON.' })
    const type = headers.get(':event-type') ?? ''
    noteConverseEvent(type, event, this.#note)
    this.#takeEvent(type, event)
    if (this.#hasFinished && this.#hasMetadata) {
      this.#isOver = true
      this.#parts.push({ kind: 'ended' })
    }
  }

  /** Unknown events are ignored. */
  #takeEvent(type: string, event: JsonObject): void {
    const index = typeof event.contentBlockIndex === 'number' ? event.contentBlockIndex : 0
    switch (type) {
      case 'contentBlockStart':
        return this.#start(index, objectAt(event, 'start'))
      case 'contentBlockDelta':
        return this.#add(index, objectAt(event, 'delta'))
      case 'contentBlockStop':
        return this.#close(index)
      case 'messageStop':
        return this.#finish(event)
      case 'metadata':
        return this.#count(event)
      default:
    }
  }

  #start(index: number, start: JsonObject): void {
    this.#closeThinkingBefore(index)
    const block = openBlock(start, this.#toolCount)
    if (block === undefined) return
    this.#blocks.set(index, block)
    if (block.kind !== 'tool') return
    this.#toolCount += 1
    this.#parts.push({ kind: 'tool-call-started', choice: 0, index: block.index, id: block.id, name: block.name })
  }

  #add(index: number, delta: JsonObject): void {
    this.#closeThinkingBefore(index)
    if (typeof delta.text === 'string') this.#addText(delta.text)
    else if (isJsonObject(delta.toolUse)) this.#addInput(index, delta.toolUse)
    else if (isJsonObject(delta.reasoningContent)) this.#addThinking(index, delta.reasoningContent)
    else this.#addToCollected(index, delta)
  }

  #addText(text: string): void {
    if (text !== '') this.#parts.push({ kind: 'text-added', choice: 0, text })
  }

  #addInput(index: number, toolUse: JsonObject): void {
    const block = this.#blocks.get(index)
    const json = isJsonObject(toolUse.input) ? JSON.stringify(toolUse.input) : (stringAt(toolUse, 'input') ?? '')
    if (json === '') return
    if (block?.kind === 'server-tool') block.input += json
    if (block?.kind !== 'tool') return
    block.hasInput = true
    this.#parts.push({ kind: 'tool-call-added', choice: 0, index: block.index, json })
  }

  #addThinking(index: number, content: JsonObject): void {
    const open = this.#blocks.get(index)
    const block = open?.kind === 'thinking' ? open : { kind: 'thinking' as const, signature: '', redacted: [] }
    this.#blocks.set(index, block)
    const text = stringAt(content, 'text') ?? ''
    if (text !== '') this.#parts.push({ kind: 'reasoning-added', choice: 0, text, format: 'anthropic' })
    block.signature += stringAt(content, 'signature') ?? ''
    const redacted = stringAt(content, 'redactedContent')
    if (redacted !== undefined) block.redacted.push(redacted)
  }

  #addToCollected(index: number, delta: JsonObject): void {
    const block = this.#blocks.get(index)
    if (block?.kind === 'image')
      block.pieces.push(stringAt(objectAt(objectAt(delta, 'image'), 'source'), 'bytes') ?? '')
    if (block?.kind === 'server-result' && Array.isArray(delta.toolResult)) block.content.push(...delta.toolResult)
  }

  #close(index: number): void {
    const block = this.#blocks.get(index)
    if (block === undefined) return
    this.#blocks.delete(index)
    this.#parts.push(...closeBlock(block))
  }

  /** A signature must directly follow its thinking, even if the end of that block is missing. */
  #closeThinkingBefore(index: number): void {
    for (const [at, block] of this.#blocks) if (at !== index && block.kind === 'thinking') this.#close(at)
  }

  #finish(event: JsonObject): void {
    if (this.#hasFinished) return
    for (const index of this.#blocks.keys()) this.#close(index)
    this.#hasFinished = true
    this.#parts.push({ kind: 'finished', choice: 0, ...readFinish(event) })
  }

  #count(event: JsonObject): void {
    const usage = readUsage(event)
    this.#hasMetadata = true
    if (usage !== undefined) this.#parts.push({ kind: 'usage-counted', usage, isFinal: true })
  }
}

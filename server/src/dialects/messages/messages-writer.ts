import type { StreamPart } from '#domain/inference/stream-part.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { Charged, ReplyContext, StreamWriter } from '../dialect.ts'
import { withFrameTemplate, type WriteText } from '../text-frame-template.ts'
import { opaqueBlock } from './foreign-blocks.ts'
import { errorFrame, eventFrame } from './frames.ts'
import { imageSource } from './render-block.ts'
import { type SealedReasoning, sealReasoning } from './sealed-thought.ts'
import { type Ending, stopReasonOf } from './stop-reason.ts'
import { toolUseId } from './tool-use-id.ts'
import { chargedUsage, messagesUsage } from './usage-json.ts'

/**
 * Writes a Messages stream: not started → between blocks ⇄ inside one block → over.
 *
 * A block must be complete before the next one begins, but upstreams may interleave several tool calls. While the
 * arguments of a call are incomplete, parts of other blocks wait; they are written when the call is complete, or at the
 * end.
 */
export class MessagesWriter implements StreamWriter {
  readonly #context: ReplyContext
  #isStarted = false
  #isOver = false
  #open: OpenBlock | null = null
  #index = 0
  #waiting: StreamPart[] = []
  #usage: Usage = noUsage
  /** Writes the text deltas of the open block; null before the first. */
  #writeText: WriteText | null = null
  #ending: Ending = { reason: null, native: null, hasToolCalls: false, hasRefusal: false }

  constructor(context: ReplyContext) {
    this.#context = context
  }

  write(part: StreamPart): string {
    if (this.#isOver || ('choice' in part && part.choice !== 0)) return ''
    return this.#take(part)
  }

  close(charged: Charged | null): string {
    if (this.#isOver) return ''
    const last = this.#start() + this.#finishBlocks()
    this.#isOver = true
    const delta = { stop_reason: stopReasonOf(this.#ending), stop_sequence: this.#ending.stopSequence ?? null }
    const ending = eventFrame({ type: 'message_delta', delta, usage: chargedUsage(charged) })
    return last + ending + eventFrame({ type: 'message_stop' })
  }

  fail(error: GatewayError): string {
    if (this.#isOver) return ''
    this.#isOver = true
    return errorFrame(error)
  }

  #take(part: StreamPart): string {
    switch (part.kind) {
      case 'usage-counted':
        this.#usage = part.usage
        return ''
      case 'finished':
        this.#ending = {
          ...this.#ending,
          reason: part.reason,
          native: part.native,
          stopSequence: part.stopSequence,
        }
        return this.#start() + this.#finishBlocks()
      // The pipeline decides what an end or a failure means, and calls `close` or `fail`.
      case 'ended':
      case 'failed':
        return ''
      default:
        return this.#takeContent(part)
    }
  }

  #takeContent(part: ContentPart): string {
    if (this.#open?.kind === 'tool' && !belongsTo(part, this.#open) && !isWhole(this.#open.json)) {
      this.#waiting.push(part)
      return ''
    }
    switch (part.kind) {
      case 'text-added':
        return this.#addText(part.text)
      case 'refusal-added':
        this.#ending = { ...this.#ending, hasRefusal: true }
        return this.#addText(part.text)
      case 'reasoning-added':
        return this.#addThinking(part)
      case 'reasoning-signed':
        return this.#sign(part)
      case 'reasoning-encrypted':
        return this.#addEncrypted(part)
      case 'tool-call-started':
        return this.#startTool(part)
      case 'tool-call-added':
        return this.#addArguments(part.index, part.json)
      case 'image-added':
        return this.#wholeBlock({ type: 'image', source: imageSource(part.source) })
      case 'opaque-added':
        return this.#wholeBlock(opaqueBlock(part.part))
    }
  }

  #addText(text: string): string {
    if (text === '') return ''
    const opening = this.#open?.kind === 'text' ? '' : this.#begin({ kind: 'text' }, { type: 'text', text: '' })
    this.#writeText ??= withFrameTemplate((piece) => this.#delta({ type: 'text_delta', text: piece }))
    return opening + this.#writeText(text)
  }

  #addThinking({ text, format, id, isSummary }: Extract<StreamPart, { kind: 'reasoning-added' }>): string {
    if (text === '' || this.#context.excludeReasoning) return ''
    const about = { format, ...(id === undefined ? {} : { id }), ...(isSummary === undefined ? {} : { isSummary }) }
    const continues = this.#open?.kind === 'thinking' && isSameThought(this.#open.about, about)
    return (continues ? '' : this.#beginThinking(about)) + this.#delta({ type: 'thinking_delta', thinking: text })
  }

  #beginThinking(about: SealedReasoning): string {
    return this.#begin({ kind: 'thinking', about }, { type: 'thinking', thinking: '', signature: '' })
  }

  /** A signature whose reasoning was not shown, or came before other blocks, gets a thinking block without text. */
  #sign({ signature, format }: Extract<StreamPart, { kind: 'reasoning-signed' }>): string {
    const continues = this.#open?.kind === 'thinking' && this.#open.about.format === format
    const opening = continues ? '' : this.#beginThinking({ format })
    if (this.#open?.kind === 'thinking') this.#open.about = { ...this.#open.about, signature }
    return opening + this.#end()
  }

  /** Data of an open reasoning block ends that block; otherwise it is a separate block. */
  #addEncrypted({ data, format, id }: Extract<StreamPart, { kind: 'reasoning-encrypted' }>): string {
    if (format === 'anthropic') return this.#wholeBlock({ type: 'redacted_thinking', data })
    const about = { format, encrypted: data, ...(id === undefined ? {} : { id }) }
    if (this.#open?.kind === 'thinking' && isSameThought(this.#open.about, about)) {
      this.#open.about = { ...this.#open.about, encrypted: data }
      return this.#end()
    }
    return this.#wholeBlock({ type: 'redacted_thinking', data: sealReasoning(about) })
  }

  #startTool({ index, id, name, signature }: Extract<StreamPart, { kind: 'tool-call-started' }>): string {
    this.#ending = { ...this.#ending, hasToolCalls: true }
    const block = { type: 'tool_use', id: toolUseId(id, signature), name, input: {} }
    return this.#begin({ kind: 'tool', index, json: '' }, block)
  }

  #addArguments(index: number, json: string): string {
    const tool = this.#open
    if (json === '' || tool?.kind !== 'tool' || tool.index !== index) return ''
    tool.json += json
    const frame = this.#delta({ type: 'input_json_delta', partial_json: json })
    return this.#waiting.length > 0 && isWhole(tool.json) ? frame + this.#end() + this.#takeWaiting() : frame
  }

  #takeWaiting(): string {
    const parts = this.#waiting
    this.#waiting = []
    return parts.map((part) => this.#take(part)).join('')
  }

  #finishBlocks(): string {
    let frames = this.#end()
    // Each round writes at least the first part, because no block is open then.
    while (this.#waiting.length > 0) frames += this.#takeWaiting() + this.#end()
    return frames
  }

  #start(): string {
    if (this.#isStarted) return ''
    this.#isStarted = true
    const { id, model } = this.#context
    // Nothing has been output yet, whatever an upstream counts.
    const usage = { ...messagesUsage(this.#usage), output_tokens: 0 }
    const head = { id, type: 'message', role: 'assistant', model, content: [] }
    return eventFrame({ type: 'message_start', message: { ...head, stop_reason: null, stop_sequence: null, usage } })
  }

  #begin(open: OpenBlock, block: JsonObject): string {
    const before = this.#start() + this.#end()
    this.#open = open
    this.#writeText = null
    return before + eventFrame({ type: 'content_block_start', index: this.#index, content_block: block })
  }

  #delta(delta: JsonObject): string {
    return eventFrame({ type: 'content_block_delta', index: this.#index, delta })
  }

  #end(): string {
    if (this.#open === null) return ''
    const signature = this.#open.kind === 'thinking' ? signatureOf(this.#open.about) : undefined
    const signing = signature === undefined ? '' : this.#delta({ type: 'signature_delta', signature })
    this.#open = null
    const stop = eventFrame({ type: 'content_block_stop', index: this.#index })
    this.#index += 1
    return signing + stop
  }

  #wholeBlock(block: JsonObject): string {
    return this.#begin({ kind: 'text' }, block) + this.#end()
  }
}

type ContentPart = Exclude<StreamPart, { kind: 'usage-counted' | 'finished' | 'ended' | 'failed' }>

type OpenBlock =
  | { readonly kind: 'text' }
  | { readonly kind: 'thinking'; about: SealedReasoning }
  | { readonly kind: 'tool'; readonly index: number; json: string }

function belongsTo(part: ContentPart, tool: { readonly index: number }): boolean {
  return part.kind === 'tool-call-added' && part.index === tool.index
}

// Complete arguments cannot grow, so the next block may begin.
function isWhole(json: string): boolean {
  return json.trimEnd().endsWith('}') && parseJsonObject(json) !== undefined
}

function isSameThought(one: SealedReasoning, other: SealedReasoning): boolean {
  return one.format === other.format && one.id === other.id
}

function signatureOf(about: SealedReasoning): string | undefined {
  return about.format === 'anthropic' ? about.signature : sealReasoning(about)
}

import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { Charged, ReplyContext, StreamWriter } from '../dialect.ts'
import { withFrameTemplate, type WriteText } from '../text-frame-template.ts'
import { chatHead } from './chat-head.ts'
import { mediaUrlOf } from './data-uri.ts'
import { dataFrame, doneFrame, errorFrames } from './frames.ts'
import { contentOffset, formatNames } from './reasoning-details.ts'
import { signatureDetail, signatureMembers } from './render-document.ts'
import { chatUsage } from './usage-json.ts'

/**
 * Writes a chat stream: per choice a chunk with the role, then the output. The chunk with the last finish reason is
 * held back until the end, because usage and cost are sent with it.
 */
export class ChatWriter implements StreamWriter {
  readonly #context: ReplyContext
  readonly #head: JsonObject
  readonly #choices = new Map<number, ChoiceState>()
  #finish: JsonObject | null = null

  constructor(context: ReplyContext) {
    this.#context = context
    this.#head = chatHead(context, 'chat.completion.chunk')
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case 'usage-counted':
      case 'ended':
      case 'failed':
        return ''
      case 'finished':
        return this.#keepFinish(part)
      case 'text-added':
        return this.#addText(part)
      default: {
        const state = this.#stateOf(part.choice)
        const delta = deltaOf(part, state, this.#context.excludeReasoning)
        return delta === undefined ? '' : this.#say(part.choice, state, delta)
      }
    }
  }

  close(charged: Charged | null): string {
    if (this.#finish === null && charged === null) return doneFrame
    const chunk: JsonObject = { ...this.#head, choices: this.#finish === null ? [] : [this.#finish] }
    if (charged !== null) chunk.usage = chatUsage(charged.usage, charged.cost, charged.upstreamCost)
    return dataFrame(JSON.stringify(chunk)) + doneFrame
  }

  fail(error: GatewayError): string {
    return errorFrames(error)
  }

  #keepFinish({ choice, reason, native }: StreamPart & { kind: 'finished' }): string {
    const state = this.#stateOf(choice)
    const before = this.#finish
    const owed = [...state.silentCalls].map((index) => ({ index, function: { arguments: '{}' } }))
    state.silentCalls.clear()
    this.#finish = {
      index: choice,
      delta: owed.length === 0 ? {} : { tool_calls: owed },
      finish_reason: reason,
      ...(native === null || native === reason ? {} : { native_finish_reason: native }),
    }
    return this.#open(choice, state) + (before === null ? '' : this.#frame(before))
  }

  #addText({ choice, text }: StreamPart & { kind: 'text-added' }): string {
    const state = this.#stateOf(choice)
    state.block = null
    state.textLength += text.length
    state.writeText ??= withFrameTemplate((content) => this.#chunk(choice, { content }))
    return this.#open(choice, state) + state.writeText(text)
  }

  #stateOf(choice: number): ChoiceState {
    const known = this.#choices.get(choice)
    if (known !== undefined) return known
    const created: ChoiceState = {
      isOpen: false,
      detailIndex: -1,
      textLength: 0,
      block: null,
      silentCalls: new Set(),
      writeText: null,
    }
    this.#choices.set(choice, created)
    return created
  }

  /** A response that begins with a tool call sends a null content. */
  #say(choice: number, state: ChoiceState, delta: JsonObject): string {
    const beginsWithCall = !state.isOpen && delta.tool_calls !== undefined
    if (!beginsWithCall) return this.#open(choice, state) + this.#chunk(choice, delta)
    state.isOpen = true
    return this.#chunk(choice, { role: 'assistant', content: null, ...delta })
  }

  #open(choice: number, state: ChoiceState): string {
    if (state.isOpen) return ''
    state.isOpen = true
    return this.#chunk(choice, { role: 'assistant', content: '' })
  }

  #chunk(index: number, delta: JsonObject): string {
    return this.#frame({ index, delta, finish_reason: null })
  }

  #frame(choice: JsonObject): string {
    return dataFrame(JSON.stringify({ ...this.#head, choices: [choice] }))
  }
}

interface ChoiceState {
  isOpen: boolean
  /** Clients join details with the same index, so every reasoning block has its own. */
  detailIndex: number
  /** Length of the text so far. */
  textLength: number
  /** The kind of the open reasoning block, or null outside of one. */
  block: string | null
  /** Calls without arguments so far. Clients parse the arguments, and an empty string is not JSON. */
  readonly silentCalls: Set<number>
  /** Writes the chunks with text; null before the first. */
  writeText: WriteText | null
}

type SpokenPart = Exclude<StreamPart, { kind: 'usage-counted' | 'ended' | 'failed' | 'finished' | 'text-added' }>

/** Returns undefined if the part has nothing for a chat client. */
function deltaOf(part: SpokenPart, state: ChoiceState, excludeReasoning: boolean): JsonObject | undefined {
  switch (part.kind) {
    case 'reasoning-added':
    case 'reasoning-signed':
    case 'reasoning-encrypted':
      return excludeReasoning ? undefined : reasoningDelta(part, state)
    default:
      state.block = null
      return answerDelta(part, state, excludeReasoning)
  }
}

function answerDelta(
  part: Exclude<SpokenPart, { kind: `reasoning-${string}` }>,
  state: ChoiceState,
  excludeReasoning: boolean,
): JsonObject | undefined {
  switch (part.kind) {
    case 'refusal-added':
      return { refusal: part.text }
    case 'image-added':
      return { images: [{ type: 'image_url', image_url: { url: mediaUrlOf(part.source) } }] }
    case 'tool-call-started':
      state.silentCalls.add(part.index)
      return startedCall(part, state, excludeReasoning)
    case 'tool-call-added':
      if (part.json === '') return undefined
      state.silentCalls.delete(part.index)
      return { tool_calls: [{ index: part.index, function: { arguments: part.json } }] }
    case 'opaque-added': {
      const { protocol, value } = part.part
      return protocol === 'openai' && isJsonObject(value) && typeof value.type !== 'string' ? value : undefined
    }
  }
}

function startedCall(
  { index, id, name, signature }: StreamPart & { kind: 'tool-call-started' },
  state: ChoiceState,
  excludeReasoning: boolean,
): JsonObject {
  const call = { index, id, type: 'function', function: { name, arguments: '' }, ...signatureMembers(signature) }
  if (signature === undefined || excludeReasoning) return { tool_calls: [call] }
  state.detailIndex += 1
  return { tool_calls: [call], reasoning_details: [signatureDetail({ id, signature, index: state.detailIndex })] }
}

function reasoningDelta(part: SpokenPart & { kind: `reasoning-${string}` }, state: ChoiceState): JsonObject {
  const format = formatNames[part.format]
  const own = 'id' in part && part.id !== undefined ? { id: part.id } : {}
  const place = { ...own, ...contentOffset(state.textLength) }
  switch (part.kind) {
    case 'reasoning-added': {
      enterBlock(state, `${part.isSummary === true} ${part.format} ${part.id ?? ''}`)
      const text = part.isSummary
        ? { type: 'reasoning.summary', summary: part.text }
        : { type: 'reasoning.text', text: part.text }
      return { reasoning: part.text, reasoning_details: [{ ...text, ...place, index: state.detailIndex, format }] }
    }
    case 'reasoning-signed': {
      // A signature may come alone, for reasoning that its vendor does not show.
      const text = state.block === null ? { text: '' } : {}
      if (state.block === null) state.detailIndex += 1
      state.block = null
      const { signature } = part
      return {
        reasoning_details: [{ type: 'reasoning.text', ...text, signature, ...place, index: state.detailIndex, format }],
      }
    }
    case 'reasoning-encrypted':
      state.block = null
      state.detailIndex += 1
      return {
        reasoning_details: [
          { type: 'reasoning.encrypted', data: part.data, ...place, index: state.detailIndex, format },
        ],
      }
  }
}

function enterBlock(state: ChoiceState, block: string): void {
  if (state.block === block) return
  state.block = block
  state.detailIndex += 1
}

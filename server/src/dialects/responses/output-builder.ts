import type { MediaSource, OpaquePart, ReasoningPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { CustomCallItem } from './custom-call-item.ts'
import { MessageItem } from './message-item.ts'
import type { OutputOptions, ReasoningBlock } from './output-steps.ts'
import { type ItemPlace, imageItem, opaqueItem } from './output-item.ts'
import { ReasoningItem } from './reasoning-item.ts'
import { ToolCallItem } from './tool-call-item.ts'

/**
 * Builds the output items of one response and emits each step, for complete responses and streams. At most one message
 * or one reasoning block is open at a time. Tool calls stay open until the response ends, because some upstreams
 * interleave their arguments.
 */
export class OutputBuilder {
  readonly #options: OutputOptions
  readonly #ids: string[] = []
  readonly #done: JsonObject[] = []
  readonly #tools = new Map<number, ToolCallItem | CustomCallItem>()
  #open: MessageItem | ReasoningItem | null = null

  constructor(options: OutputOptions) {
    this.#options = options
  }

  addText(text: string): void {
    if (text !== '') this.#message().add('output_text', text)
  }

  addRefusal(text: string): void {
    if (text !== '') this.#message().add('refusal', text)
  }

  addReasoning(text: string, block: ReasoningBlock): void {
    const open = this.#open
    const isSame = open instanceof ReasoningItem && open.continues(block)
    const item = isSame ? open : this.#beginReasoning(block)
    item.add(text)
  }

  /** Ends a reasoning block. Encrypted reasoning may be a separate block. */
  sealReasoning(block: ReasoningBlock, seal: { signature?: string; encrypted?: string }): void {
    const open = this.#open
    const fits = open instanceof ReasoningItem && open.accepts(block, seal)
    const item = fits ? open : this.#beginReasoning(block)
    item.seal(block, seal)
    this.#closeOpen()
  }

  addWholeReasoning(part: ReasoningPart): void {
    const { text, signature, encrypted } = part
    const item = this.#beginReasoning(part)
    item.add(text)
    item.seal(part, {
      ...(signature === undefined ? {} : { signature }),
      ...(encrypted === undefined ? {} : { encrypted }),
    })
    this.#closeOpen()
  }

  startTool(index: number, call: { id: string; name: string; signature?: string }): void {
    this.#closeOpen()
    if (this.#tools.has(index)) return
    const { emit, toolNamed } = this.#options
    const tool = toolNamed(call.name)
    const called = tool === undefined ? call : { ...call, tool }
    const isCustom = tool?.kind === 'custom'
    const Item = isCustom ? CustomCallItem : ToolCallItem
    this.#tools.set(index, new Item(called, this.#place(isCustom ? 'ctc' : 'fc'), emit))
  }

  addToolJson(index: number, json: string): void {
    if (json !== '') this.#tools.get(index)?.add(json)
  }

  addImage(source: MediaSource): void {
    this.#closeOpen()
    const place = this.#place('ig')
    this.#addWhole(place, imageItem(place.id, source))
  }

  addOpaque(part: OpaquePart): void {
    this.#closeOpen()
    const place = this.#place('rs')
    this.#addWhole(place, opaqueItem(place.id, part))
  }

  /** Closes all open items. */
  finish(status: 'completed' | 'incomplete'): void {
    this.#closeOpen(status)
    for (const tool of this.#tools.values()) tool.close(status)
  }

  /** The completed items, in order. */
  items(): JsonObject[] {
    // In index order, without the gaps of open items.
    return Object.values(this.#done)
  }

  #message(): MessageItem {
    if (this.#open instanceof MessageItem) return this.#open
    this.#closeOpen()
    const item = new MessageItem(this.#place('msg'), this.#options.emit)
    this.#open = item
    return item
  }

  #beginReasoning(block: ReasoningBlock): ReasoningItem {
    this.#closeOpen()
    const item = new ReasoningItem(block, (ownId) => this.#place('rs', ownId), this.#options)
    this.#open = item
    return item
  }

  #closeOpen(status: 'completed' | 'incomplete' = 'completed'): void {
    const open = this.#open
    this.#open = null
    open?.close(status)
  }

  #addWhole(place: ItemPlace, item: JsonObject): void {
    place.finish(item)
    this.#options.emit('response.output_item.added', { output_index: place.outputIndex, item })
    this.#options.emit('response.output_item.done', { output_index: place.outputIndex, item })
  }

  /** The next position in the output. An upstream's own id is kept, unless it was used before. */
  #place(kind: string, ownId?: string): ItemPlace {
    const outputIndex = this.#ids.length
    const isFree = ownId !== undefined && !this.#ids.includes(ownId)
    const id = isFree ? ownId : `${kind}_${this.#options.idStem}_${outputIndex}`
    this.#ids.push(id)
    return {
      id,
      outputIndex,
      finish: (item) => {
        this.#done[outputIndex] = item
      },
    }
  }
}

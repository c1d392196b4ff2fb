import type { ReasoningPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import type { OutputOptions, ReasoningBlock } from './output-steps.ts'
import type { ItemPlace } from './output-item.ts'
import { sealReasoning, unseal } from './sealed-reasoning.ts'

/**
 * A reasoning block while it arrives. Hidden reasoning appears in the output only if it must return to its upstream;
 * otherwise it leaves no trace.
 */
export class ReasoningItem {
  readonly #block: ReasoningBlock
  readonly #takePlace: (ownId?: string) => ItemPlace
  readonly #options: OutputOptions
  #place: ItemPlace | null = null
  #text = ''
  #seal: { id?: string; signature?: string; encrypted?: string } = {}

  constructor(block: ReasoningBlock, takePlace: (ownId?: string) => ItemPlace, options: OutputOptions) {
    this.#block = block
    this.#takePlace = takePlace
    this.#options = options
  }

  continues(block: ReasoningBlock): boolean {
    return block.format === this.#block.format && this.#mayHaveId(block.id)
  }

  /**
   * A signature ends the reasoning before it. Encrypted reasoning is a separate block, except beside summaries of
   * Responses.
   */
  accepts(block: ReasoningBlock, seal: { encrypted?: string }): boolean {
    return (
      this.continues(block) && (seal.encrypted === undefined || block.format === 'openai' || block.format === 'grok')
    )
  }

  add(text: string): void {
    if (text === '') return
    if (!this.#options.hidesReasoning) {
      const place = this.#begin()
      if (this.#text === '') this.#emit('reasoning_summary_part.added', place, { part: summaryPart('') })
      this.#emit('reasoning_summary_text.delta', place, { delta: text })
    }
    this.#text += text
  }

  seal(block: ReasoningBlock, seal: { signature?: string; encrypted?: string }): void {
    this.#seal = { ...(block.id === undefined ? {} : { id: block.id }), ...seal }
  }

  close(): void {
    const { signature, encrypted } = this.#seal
    const isSealed = signature !== undefined || encrypted !== undefined
    if (this.#text === '' && !isSealed) return
    if (this.#options.hidesReasoning && !isSealed) return
    const place = this.#begin()
    const isShown = this.#text !== '' && !this.#options.hidesReasoning
    if (isShown) {
      this.#emit('reasoning_summary_text.done', place, { text: this.#text })
      this.#emit('reasoning_summary_part.done', place, { part: summaryPart(this.#text) })
    }
    const item: JsonObject = {
      id: place.id,
      type: 'reasoning',
      summary: isShown ? [summaryPart(this.#text)] : [],
      ...(isSealed || this.#options.sealsAll ? { encrypted_content: this.#encryptedContent(place) } : {}),
    }
    place.finish(item)
    this.#options.emit('response.output_item.done', { output_index: place.outputIndex, item })
  }

  #begin(): ItemPlace {
    if (this.#place !== null) return this.#place
    // Only OpenAI's ids have a meaning in this dialect; others are stored in the envelope.
    const ownId = this.#block.format === 'openai' ? this.#block.id : undefined
    const place = this.#takePlace(ownId)
    this.#place = place
    const item: JsonObject = { id: place.id, type: 'reasoning', summary: [] }
    this.#options.emit('response.output_item.added', { output_index: place.outputIndex, item })
    return place
  }

  /** OpenAI's own content is sent unchanged if nothing else needs to return with it. */
  #encryptedContent(place: ItemPlace): string {
    const { signature, encrypted } = this.#seal
    const id = this.#block.id ?? this.#seal.id
    const { format, isSummary } = this.#block
    const isShown = this.#text === '' || (!this.#options.hidesReasoning && isSummary === true)
    const isPlain = format === 'openai' && signature === undefined && (id === undefined || id === place.id)
    if (encrypted !== undefined && isPlain && isShown && unseal(encrypted) === null) return encrypted
    const part: ReasoningPart = {
      kind: 'reasoning',
      text: this.#text,
      ...(isSummary === true ? { isSummary } : {}),
      ...(signature === undefined ? {} : { signature }),
      ...(encrypted === undefined ? {} : { encrypted }),
      ...(id === undefined ? {} : { id }),
      format,
    }
    return sealReasoning(part)
  }

  #mayHaveId(id: string | undefined): boolean {
    return id === undefined || this.#block.id === undefined || id === this.#block.id
  }

  #emit(type: string, place: ItemPlace, fields: JsonObject): void {
    const at = { item_id: place.id, output_index: place.outputIndex, summary_index: 0 }
    this.#options.emit(`response.${type}`, { ...at, ...fields })
  }
}

function summaryPart(text: string): JsonObject {
  return { type: 'summary_text', text }
}

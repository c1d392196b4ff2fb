import type { JsonObject } from '#lib/json.ts'
import { withFrameTemplate, type WriteText } from '../text-frame-template.ts'
import type { Emit } from './output-steps.ts'
import type { ItemPlace, ItemStatus } from './output-item.ts'

type PartType = 'output_text' | 'refusal'

/** A message of the model while it is written: parts of text or refusal, one after another. */
export class MessageItem {
  readonly #place: ItemPlace
  readonly #emit: Emit
  readonly #content: JsonObject[] = []
  #type: PartType | null = null
  #text = ''
  /** Writes the fields of the open part's text deltas; null before the first. */
  #writeText: WriteText | null = null

  constructor(place: ItemPlace, emit: Emit) {
    this.#place = place
    this.#emit = emit
    const item = this.#item('in_progress')
    emit('response.output_item.added', { output_index: place.outputIndex, item })
  }

  add(type: PartType, text: string): void {
    if (this.#type !== type) {
      this.#closePart()
      this.#type = type
      this.#emit('response.content_part.added', { ...this.#partPlace(), part: contentPart(type, '') })
    }
    this.#text += text
    if (type === 'refusal') this.#emit('response.refusal.delta', { ...this.#partPlace(), delta: text })
    else this.#emitText(text)
  }

  #emitText(text: string): void {
    this.#writeText ??= withFrameTemplate((delta) => JSON.stringify({ ...this.#partPlace(), delta, logprobs: [] }))
    this.#emit('response.output_text.delta', this.#writeText(text))
  }

  close(status: ItemStatus): void {
    this.#closePart()
    const item = this.#item(status)
    this.#place.finish(item)
    this.#emit('response.output_item.done', { output_index: this.#place.outputIndex, item })
  }

  #closePart(): void {
    const type = this.#type
    if (type === null) return
    const text = this.#text
    if (type === 'refusal') this.#emit('response.refusal.done', { ...this.#partPlace(), refusal: text })
    else this.#emit('response.output_text.done', { ...this.#partPlace(), text, logprobs: [] })
    const part = contentPart(type, text)
    this.#emit('response.content_part.done', { ...this.#partPlace(), part })
    this.#content.push(part)
    this.#type = null
    this.#text = ''
    this.#writeText = null
  }

  #partPlace(): JsonObject {
    return { item_id: this.#place.id, output_index: this.#place.outputIndex, content_index: this.#content.length }
  }

  #item(status: ItemStatus): JsonObject {
    return { id: this.#place.id, type: 'message', status, role: 'assistant', content: [...this.#content] }
  }
}

function contentPart(type: PartType, text: string): JsonObject {
  return type === 'refusal' ? { type, refusal: text } : { type, text, annotations: [], logprobs: [] }
}

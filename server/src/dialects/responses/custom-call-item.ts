import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { ItemPlace, ItemStatus } from './output-item.ts'
import type { Emit } from './output-steps.ts'
import { signedCallId } from './signed-call-id.ts'
import type { CalledTool } from './tool-call-item.ts'

/**
 * A call of a custom tool, which the upstream got as a function with one argument. The input is known once the
 * arguments are complete, so the gateway sends it in one piece.
 */
export class CustomCallItem {
  readonly #head: JsonObject
  readonly #place: ItemPlace
  readonly #emit: Emit
  #json = ''
  #isClosed = false

  constructor(call: CalledTool, place: ItemPlace, emit: Emit) {
    const { id, signature, tool, name } = call
    const named = { name: tool?.name ?? name, ...(tool?.namespace === undefined ? {} : { namespace: tool.namespace }) }
    this.#head = { id: place.id, type: 'custom_tool_call', call_id: signedCallId(id, signature), ...named }
    this.#place = place
    this.#emit = emit
    emit('response.output_item.added', this.#told('in_progress', ''))
  }

  add(json: string): void {
    if (!this.#isClosed) this.#json += json
  }

  close(status: ItemStatus): void {
    if (this.#isClosed) return
    this.#isClosed = true
    const input = inputIn(this.#json)
    const place = { item_id: this.#place.id, output_index: this.#place.outputIndex }
    if (input !== '') this.#emit('response.custom_tool_call_input.delta', { ...place, delta: input })
    this.#emit('response.custom_tool_call_input.done', { ...place, input })
    const done = this.#told(status, input)
    this.#place.finish(done.item)
    this.#emit('response.output_item.done', done)
  }

  #told(status: ItemStatus, input: string): { output_index: number; item: JsonObject } {
    return { output_index: this.#place.outputIndex, item: { ...this.#head, status, input } }
  }
}

/** If the model omits the argument, its text is the input itself. */
function inputIn(json: string): string {
  const input = parseJsonObject(json)?.['input']
  return typeof input === 'string' ? input : json
}

import type { JsonObject } from '#lib/json.ts'
import type { ClientTool } from './client-tools.ts'
import type { Emit } from './output-steps.ts'
import type { ItemPlace, ItemStatus } from './output-item.ts'
import { signedCallId } from './signed-call-id.ts'

/** A call from the upstream, and the client's tool that it names. */
export interface CalledTool {
  readonly id: string
  readonly name: string
  readonly signature?: string
  readonly tool?: ClientTool
}

/** A function call while its arguments arrive. */
export class ToolCallItem {
  readonly #callId: string
  readonly #named: { readonly name: string; readonly namespace?: string }
  readonly #place: ItemPlace
  readonly #emit: Emit
  #json = ''
  #isClosed = false

  constructor(call: CalledTool, place: ItemPlace, emit: Emit) {
    this.#callId = signedCallId(call.id, call.signature)
    const { name, namespace } = call.tool ?? { name: call.name }
    this.#named = { name, ...(namespace === undefined ? {} : { namespace }) }
    this.#place = place
    this.#emit = emit
    const item = this.#item('in_progress')
    emit('response.output_item.added', { output_index: place.outputIndex, item })
  }

  add(json: string): void {
    if (this.#isClosed) return
    this.#json += json
    this.#emit('response.function_call_arguments.delta', { ...this.#itemPlace(), delta: json })
  }

  close(status: ItemStatus): void {
    if (this.#isClosed) return
    // Clients parse the arguments, and a call without any often has an empty string.
    if (this.#json === '' && status === 'completed') this.add('{}')
    this.#isClosed = true
    this.#emit('response.function_call_arguments.done', {
      ...this.#itemPlace(),
      name: this.#named.name,
      arguments: this.#json,
    })
    const item = this.#item(status)
    this.#place.finish(item)
    this.#emit('response.output_item.done', { output_index: this.#place.outputIndex, item })
  }

  #itemPlace(): JsonObject {
    return { item_id: this.#place.id, output_index: this.#place.outputIndex }
  }

  #item(status: ItemStatus): JsonObject {
    const [id, call_id] = [this.#place.id, this.#callId]
    return { id, type: 'function_call', status, arguments: this.#json, call_id, ...this.#named }
  }
}

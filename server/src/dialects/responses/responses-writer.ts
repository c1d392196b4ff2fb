import type { FinishReason } from '#domain/inference/finish-reason.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { Charged, ReplyContext, StreamWriter } from '#dialects/dialect.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import { failureCode } from './failure-code.ts'
import { noteOutput } from './note-output.ts'
import { OutputBuilder } from './output-builder.ts'
import { outputOptions } from './output-options.ts'
import { endOf, type ResponseState, responseObject } from './response-object.ts'

/**
 * Writes a Responses stream. States: `waiting` (nothing written), `writing`, `ended`. The stream begins with
 * `response.created` and `response.in_progress`; nothing follows the last event.
 */
export class ResponsesWriter implements StreamWriter {
  readonly #context: ReplyContext
  readonly #builder: OutputBuilder
  #state: 'waiting' | 'writing' | 'ended' = 'waiting'
  #sequenceNumber = 0
  #frames = ''
  #finishReason: FinishReason | null = null

  constructor(context: ReplyContext) {
    this.#context = context
    this.#builder = new OutputBuilder(outputOptions(context, (type, fields) => this.#emit(type, fields)))
  }

  write(part: StreamPart): string {
    if (this.#state === 'ended') return ''
    this.#begin()
    // This dialect has no second choice.
    if (!('choice' in part) || part.choice === 0) this.#add(part)
    return this.#take()
  }

  close(charged: Charged | null): string {
    if (this.#state === 'ended') return ''
    this.#begin()
    const end = endOf(this.#finishReason)
    this.#builder.finish(end.status === 'incomplete' ? 'incomplete' : 'completed')
    const output = this.#builder.items()
    noteOutput(this.#context, { ...end, output })
    return this.#end({ ...end, output, charged })
  }

  fail(error: GatewayError): string {
    if (this.#state === 'ended') return ''
    this.#begin()
    const { message } = error
    return this.#end({ status: 'failed', output: this.#builder.items(), error: { code: failureCode(error), message } })
  }

  #add(part: StreamPart): void {
    const builder = this.#builder
    switch (part.kind) {
      case 'text-added':
        return builder.addText(part.text)
      case 'refusal-added':
        return builder.addRefusal(part.text)
      case 'reasoning-added':
        return builder.addReasoning(part.text, part)
      case 'reasoning-signed':
        return builder.sealReasoning({ format: part.format }, { signature: part.signature })
      case 'reasoning-encrypted':
        return builder.sealReasoning(part, { encrypted: part.data })
      case 'tool-call-started':
        return builder.startTool(part.index, part)
      case 'tool-call-added':
        return builder.addToolJson(part.index, part.json)
      case 'image-added':
        return builder.addImage(part.source)
      case 'opaque-added':
        return builder.addOpaque(part.part)
      case 'finished':
        this.#finishReason = part.reason
        return builder.finish(endOf(part.reason).status === 'incomplete' ? 'incomplete' : 'completed')
      case 'usage-counted':
      case 'ended':
      // `fail` reports the failure, because it knows what the client may see.
      case 'failed':
        return
      default:
        return unreachable(part)
    }
  }

  #begin(): void {
    if (this.#state !== 'waiting') return
    this.#state = 'writing'
    const response = responseObject(this.#context, { status: 'in_progress', output: [] })
    this.#emit('response.created', { response })
    this.#emit('response.in_progress', { response })
  }

  #end(state: ResponseState): string {
    this.#state = 'ended'
    this.#emit(`response.${state.status}`, { response: responseObject(this.#context, state) })
    return this.#take()
  }

  #emit(type: string, fields: JsonObject | string): void {
    const sequenceNumber = this.#sequenceNumber
    const data =
      typeof fields === 'string'
        ? `{"type":"${type}","sequence_number":${sequenceNumber},${fields.slice(1)}`
        : JSON.stringify({ type, sequence_number: sequenceNumber, ...fields })
    this.#sequenceNumber += 1
    this.#frames += `event: ${type}\ndata: ${data}\n\n`
  }

  #take(): string {
    const frames = this.#frames
    this.#frames = ''
    return frames
  }
}

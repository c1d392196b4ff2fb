import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { chatHead } from '../chat/chat-head.ts'
import { dataFrame, doneFrame, errorFrames } from '../chat/frames.ts'
import { chatUsage } from '../chat/usage-json.ts'
import type { Charged, ReplyContext, StreamWriter } from '../dialect.ts'
import { echoedPrompts } from './echoed-prompt.ts'
import { logprobsIn } from './render-completion.ts'

/**
 * Writes a stream of text completions. The chunk with the last finish reason is held back until the end, because usage
 * and cost are sent with it.
 */
export class CompletionsWriter implements StreamWriter {
  readonly #head: JsonObject
  readonly #echoed: (choice: number) => string
  readonly #begun = new Set<number>()
  #finish: JsonObject | null = null

  constructor(context: ReplyContext) {
    this.#head = chatHead(context, 'text_completion')
    this.#echoed = echoedPrompts(context.requestBody)
  }

  write(part: StreamPart): string {
    switch (part.kind) {
      case 'text-added':
      case 'refusal-added':
        return this.#begin(part.choice) + this.#chunk(choiceOf(part.choice, part.text))
      case 'opaque-added': {
        const logprobs = logprobsIn(part.part)
        return logprobs === null ? '' : this.#chunk({ ...choiceOf(part.choice, ''), logprobs })
      }
      case 'finished': {
        const before = this.#finish
        this.#finish = { ...choiceOf(part.choice, ''), finish_reason: part.reason }
        return this.#begin(part.choice) + (before === null ? '' : this.#chunk(before))
      }
      default:
        return ''
    }
  }

  close(charged: Charged | null): string {
    if (this.#finish === null && charged === null) return doneFrame
    const usage = charged === null ? {} : { usage: chatUsage(charged.usage, charged.cost, charged.upstreamCost) }
    return this.#frame(this.#finish === null ? [] : [this.#finish], usage) + doneFrame
  }

  fail(error: GatewayError): string {
    return errorFrames(error)
  }

  /** The echoed prompt comes before the first text of its choice. */
  #begin(choice: number): string {
    if (this.#begun.has(choice)) return ''
    this.#begun.add(choice)
    const text = this.#echoed(choice)
    return text === '' ? '' : this.#chunk(choiceOf(choice, text))
  }

  #chunk(choice: JsonObject): string {
    return this.#frame([choice])
  }

  #frame(choices: JsonValue[], usage: JsonObject = {}): string {
    return dataFrame(JSON.stringify({ ...this.#head, choices, ...usage }))
  }
}

function choiceOf(index: number, text: string): JsonObject {
  return { index, text, logprobs: null, finish_reason: null }
}

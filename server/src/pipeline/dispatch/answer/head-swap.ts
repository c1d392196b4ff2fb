import type { JsonObject } from '#lib/json.ts'
import type { ReaderContext } from './reader-context.ts'

/**
 * The chunks of one stream begin with the same bytes up to their `choices`. Once such a head has been seen in a parsed
 * frame, later frames with it get our head instead, and the rest is passed on unchanged, unless it contains a word that
 * must be checked. The words can only be keys: inside a JSON string their quotes would be escaped.
 *
 * Frames are handled as Latin-1 text, which represents bytes one to one: whatever they encode stays unchanged, and
 * string searches cost a fraction of slicing buffers.
 */
export class HeadSwap {
  readonly #context: ReaderContext
  #upstreamHead: string | null = null
  #ownHead = ''

  constructor(context: ReaderContext) {
    this.#context = context
  }

  /** The payload of one event with our head, or null if it must be parsed. */
  swap(payload: string): string | null {
    const head = this.#upstreamHead
    if (head === null || !payload.startsWith(head) || !payload.endsWith('}')) return null
    const rest = payload.slice(head.length)
    if (mustBeParsed.test(rest) || !rest.includes('"index"') || !rest.includes('"finish_reason"')) return null
    return this.#ownHead + rest
  }

  learn(payload: Buffer, chunk: JsonObject): void {
    const end = payload.indexOf(choicesKey)
    if (end === -1 || chunk.choices === undefined) return
    const head = payload.toString('latin1', 0, end)
    if (this.#upstreamHead === head) return
    // The head must be complete: only plain members may come before `choices`.
    const members = membersOf(payload.subarray(0, end))
    if (members === null) return
    this.#upstreamHead = head
    const own = JSON.stringify(this.dress(withoutBilling(members)))
    this.#ownHead = Buffer.from(`${own.slice(0, -1)},`).toString('latin1')
  }

  /** A parsed chunk with our head. */
  dress(chunk: JsonObject): JsonObject {
    const { id: _id, object: _object, created: _created, model: _model, ...rest } = chunk
    const { id, createdS, model } = this.#context
    return { id, object: 'chat.completion.chunk', created: createdS, model, ...rest }
  }
}

const choicesKey = Buffer.from('"choices"')

// Null values may stay: OpenAI sends `"usage":null` and `"finish_reason":null` on every chunk. A line break inside a
// frame can only be whitespace between members, but in our stream it would end the frame.
const mustBeParsed =
  /[\r\n]|"(?:usage"\s*:\s*[^n\s]|finish_reason"\s*:\s*[^n\s]|content"\s*:\s*\[|reasoning|error"|tool_calls"|function_call"|provider"|x_groq"|base_resp"|native_finish_reason"|stop_reason"|role"|message"|id"|object"|created"|model")/

function membersOf(head: Buffer): JsonObject | null {
  try {
    const members: JsonObject = JSON.parse(`${head.toString('utf8')}"choices":0}`)
    delete members.choices
    return members
  } catch {
    return null
  }
}

function withoutBilling(members: JsonObject): JsonObject {
  const { usage: _usage, provider: _provider, x_groq: _groq, ...rest } = members
  return rest
}

import type { JsonObject } from '#lib/json.ts'
import type { ReaderContext } from './reader-context.ts'

/**
 * The chunks of one stream begin with the same bytes up to their `choices`. Once such a head has been seen in a parsed
 * frame, later frames with it get ours instead, and the rest is passed on as it is, unless it holds a word that must be
 * looked at. The words can only be keys: inside a JSON string their quotes would be escaped.
 */
export interface HeadSwap {
  /** The frame for the caller, or null when the payload must be parsed. */
  swap(payload: Buffer): readonly Buffer[] | null
  learn(payload: Buffer, chunk: JsonObject): void
  /** A parsed chunk with our head. */
  dress(chunk: JsonObject): JsonObject
  readonly headBytes: number
}

const choicesKey = Buffer.from('"choices"')
const frameEnd = Buffer.from('\n\n')
const closingBrace = 125
const carriageReturn = 13

// Null values are fine as they are: OpenAI sends `"usage":null` and `"finish_reason":null` on every chunk.
const mustBeParsed =
  /"(?:usage"\s*:\s*[^n\s]|finish_reason"\s*:\s*[^n\s]|content"\s*:\s*\[|reasoning|error"|tool_calls"|function_call"|provider"|x_groq"|base_resp"|native_finish_reason"|stop_reason"|role"|message"|id"|object"|created"|model")/

// What clients rely on in every choice and some hosts leave out; parsing adds it.
const mustBeThere = ['"index"', '"finish_reason"']

export function createHeadSwap(context: ReaderContext): HeadSwap {
  let upstreamHead: Buffer | null = null
  let ownHead = Buffer.alloc(0)

  function swap(payload: Buffer): readonly Buffer[] | null {
    if (upstreamHead === null || payload.length <= upstreamHead.length) return null
    if (upstreamHead.compare(payload, 0, upstreamHead.length) !== 0) return null
    if (payload[payload.length - 1] !== closingBrace || payload.includes(carriageReturn)) return null
    const rest = payload.toString('latin1', upstreamHead.length)
    if (mustBeParsed.test(rest) || !mustBeThere.every((key) => rest.includes(key))) return null
    return [ownHead, payload.subarray(upstreamHead.length), frameEnd]
  }

  function learn(payload: Buffer, chunk: JsonObject): void {
    const end = payload.indexOf(choicesKey)
    if (end === -1) return
    const head = payload.subarray(0, end)
    if (upstreamHead?.equals(head)) return
    // The head must be whole by itself: everything before `choices` is plain members.
    const members = membersOf(head)
    if (members === null || chunk.choices === undefined) return
    upstreamHead = Buffer.from(head)
    const own = JSON.stringify(dress(withoutBilling(members)))
    ownHead = Buffer.from(`data: ${own.slice(0, -1)},`)
  }

  function dress(chunk: JsonObject): JsonObject {
    const { id: _id, object: _object, created: _created, model: _model, ...rest } = chunk
    return {
      id: context.id,
      object: 'chat.completion.chunk',
      created: context.createdS,
      model: context.model,
      ...rest,
    }
  }

  return {
    swap,
    learn,
    dress,
    get headBytes() {
      return upstreamHead?.length ?? 0
    },
  }
}

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

import { ApiError } from '../../api/api-error.ts'
import { parseExact } from '../../api/exact-json.ts'
import type { ExactNumber } from '../../lib/money.ts'

/** A response is `waiting` until its first token, then `streaming`, and finally `done`, `stopped` or `failed`. */
export interface Answer {
  readonly state: 'waiting' | 'streaming' | 'done' | 'stopped' | 'failed'
  readonly text: string
  readonly reasoning: string
  readonly toolCalls: readonly ToolCall[]
  readonly images: readonly string[]
  readonly finishReason: string | null
  readonly usage: AnswerUsage | null
  readonly firstTokenMs: number | null
  readonly totalMs: number | null
  readonly generationId: string | null
  readonly error: unknown
}

interface ToolCall {
  readonly name: string
  readonly arguments: string
}

interface AnswerUsage {
  readonly promptTokens: ExactNumber
  readonly completionTokens: ExactNumber
  /** Null if the response states no cost; the receipt has it. */
  readonly cost: ExactNumber | null
}

export const emptyAnswer: Answer = {
  state: 'waiting',
  text: '',
  reasoning: '',
  toolCalls: [],
  images: [],
  finishReason: null,
  usage: null,
  firstTokenMs: null,
  totalMs: null,
  generationId: null,
  error: null,
}

/** The fields of a chunk that are read here. Any field may be missing. */
interface Chunk {
  readonly choices?: readonly {
    readonly delta?: Delta
    readonly finish_reason?: string | null
  }[]
  readonly usage?: {
    readonly prompt_tokens?: ExactNumber
    readonly completion_tokens?: ExactNumber
    readonly cost?: ExactNumber
  } | null
  readonly error?: { readonly message?: string; readonly code?: string | ExactNumber }
}

interface Delta {
  readonly content?: string | null
  readonly refusal?: string | null
  readonly reasoning?: string | null
  readonly images?: readonly { readonly image_url?: { readonly url?: string } }[]
  readonly tool_calls?: readonly {
    readonly index?: ExactNumber
    readonly function?: { readonly name?: string; readonly arguments?: string }
  }[]
}

/** Adds a chunk of the stream to a response. Throws an error frame as the API words it. */
export function addChunk(answer: Answer, data: string, elapsedMs: number, requestId: string | null): Answer {
  const chunk = parseExact(data) as Chunk
  if (chunk.error !== undefined) {
    const { message = 'The response failed. Try again.', code = 'stream_error' } = chunk.error
    throw new ApiError({ status: 200, code: String(code), message, requestId })
  }
  const [choice] = chunk.choices ?? []
  const delta = choice?.delta ?? {}
  const added = addDelta(answer, delta)
  const isFirst = answer.firstTokenMs === null && added !== answer
  return {
    ...added,
    ...(isFirst ? { state: 'streaming' as const, firstTokenMs: elapsedMs } : {}),
    finishReason: choice?.finish_reason ?? answer.finishReason,
    usage: usageOf(chunk) ?? answer.usage,
  }
}

function addDelta(answer: Answer, delta: Delta): Answer {
  const text = `${delta.content ?? ''}${delta.refusal ?? ''}`
  const reasoning = delta.reasoning ?? ''
  const images = (delta.images ?? []).flatMap(({ image_url: image }) => image?.url ?? [])
  const calls = delta.tool_calls ?? []
  if (text === '' && reasoning === '' && images.length === 0 && calls.length === 0) return answer
  return {
    ...answer,
    text: answer.text + text,
    reasoning: answer.reasoning + reasoning,
    images: [...answer.images, ...images],
    toolCalls: calls.reduce(addToolCall, answer.toolCalls),
  }
}

function addToolCall(known: readonly ToolCall[], piece: NonNullable<Delta['tool_calls']>[number]): readonly ToolCall[] {
  const at = Number(piece.index ?? known.length)
  const { name, arguments: begun } = known[at] ?? { name: '', arguments: '' }
  const call = { name: piece.function?.name ?? name, arguments: begun + (piece.function?.arguments ?? '') }
  return [...known.slice(0, at), call, ...known.slice(at + 1)]
}

function usageOf({ usage }: Chunk): AnswerUsage | null {
  if (usage === undefined || usage === null) return null
  const { prompt_tokens: promptTokens = 0, completion_tokens: completionTokens = 0, cost = null } = usage
  return { promptTokens, completionTokens, cost }
}

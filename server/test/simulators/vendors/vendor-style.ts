import type { JsonObject } from '../json-value.ts'
import type { AnswerVariant, ChoiceParts, ToolCall, UsageNumbers } from '../scenarios/answer.ts'

export const vendorNames = [
  'openai',
  'azure',
  'deepseek',
  'xai',
  'groq',
  'mistral',
  'dashscope',
  'moonshot',
  'perplexity',
  'together',
  'cerebras',
  'vllm',
  'openrouter',
  'fireworks',
  'generic',
] as const

export type VendorName = (typeof vendorNames)[number]

/** The constants of one answer. */
export interface AnswerContext {
  id: string
  created: number
  model: string
  usage: Required<UsageNumbers> | null
  includeUsage: boolean
  variant: AnswerVariant | null
}

type ChunkPhase = 'delta' | 'finish' | 'usage'

export type ErrorCause =
  | 'rate-limited'
  | 'insufficient-quota'
  | 'invalid-key'
  | 'model-not-found'
  | 'context-too-long'
  | 'unsupported-parameter'
  | 'prompt-blocked'
  | 'overloaded'
  | 'server-error'

export interface ErrorDetails {
  status: number
  message: string
  type: string
  code: string | number | null
  param: string | null
}

/** One vendor's variant of the chat completions protocol. A vendor only states its differences from OpenAI. */
export interface VendorStyle {
  id: string
  model: string
  headers: Record<string, string>
  /** Frames before the first chunk: comments, or Azure's prompt filter chunk. */
  opening(context: AnswerContext): string[]
  /** The fields of a chunk before `choices`. */
  envelope(context: AnswerContext): JsonObject
  text(piece: string, context: AnswerContext, hasThinking: boolean): JsonObject
  /** The deltas of all thinking; none if the vendor hides it. */
  thinking(pieces: readonly string[], context: AnswerContext): JsonObject[]
  refusal(piece: string): JsonObject
  toolCalls(calls: readonly ToolCall[]): JsonObject[]
  /** Adds the role where the vendor puts it. */
  open(deltas: JsonObject[]): JsonObject[]
  choice(input: { index: number; delta: JsonObject; finish: string | null }, context: AnswerContext): JsonObject
  finishReason(reason: ChoiceParts['finish'], context: AnswerContext): string
  finishDelta(parts: ChoiceParts): JsonObject
  /** Whether the finish reason shares the chunk of the last delta. */
  finishesOnLastDelta: boolean
  usagePlace(context: AnswerContext): UsagePlace
  /** Whether chunks before the usage carry `usage: null`. */
  hasNullUsage(context: AnswerContext): boolean
  usage(usage: Required<UsageNumbers>, context: AnswerContext): JsonObject
  /** The final change of a chunk. */
  dressChunk(chunk: JsonObject, place: { phase: ChunkPhase; position: number }, context: AnswerContext): JsonObject
  streamError(message: string, context: AnswerContext): JsonObject
  endsWithDone(context: AnswerContext): boolean
  message(parts: ChoiceParts, context: AnswerContext): JsonObject
  /** The final change of a body that is not streamed. */
  dressCompletion(body: JsonObject, context: AnswerContext): JsonObject
  errorBody(details: ErrorDetails): JsonObject
  errors: Partial<Record<ErrorCause, Partial<ErrorDetails>>>
  rateLimitHeaders: Record<string, string>
}

type UsagePlace = 'asked-chunk' | 'always-chunk' | 'finish-chunk' | 'every-chunk'

import type { Wire } from '../wire.ts'

/** What a simulated model says, before a vendor's form is given to it. */
export type Answer = AnswerOptions &
  (
    | { kind: 'text'; pieces: readonly string[] }
    | { kind: 'tools'; calls: readonly ToolCall[]; pieces?: readonly string[] }
    | { kind: 'reasoning'; thinking: readonly string[]; pieces: readonly string[] }
    /** One list of pieces per choice, for n > 1. */
    | { kind: 'choices'; choices: readonly (readonly string[])[] }
    | { kind: 'refusal'; pieces: readonly string[] }
    | { kind: 'content-filter'; pieces: readonly string[] }
    /** Without pieces this is a model that spent its whole budget thinking. */
    | { kind: 'length'; pieces: readonly string[]; thinking?: readonly string[] }
    | { kind: 'mid-stream-error'; pieces: readonly string[]; message?: string; doneAfterError?: boolean }
  )

export interface AnswerOptions {
  model?: string
  /** Null leaves usage out altogether; when absent, 16 prompt tokens and one completion token per piece. */
  usage?: UsageNumbers | null
  /** What the caller said in `stream_options.include_usage`; true when absent. Some vendors do not ask. */
  includeUsage?: boolean
  variant?: AnswerVariant
  wire?: Wire
}

/**
 * Forms that one vendor has besides its usual one.
 * `older`: vllm reasons in `reasoning_content`, moonshot puts usage inside the choice.
 * `continuous-usage`: vllm with running usage on every chunk.
 * `no-done`: the stream ends without `[DONE]`, as perplexity's does on some models.
 * `eos`: together's finish reason `eos`.
 * `think-tags`: generic servers that leave `<think>` in the content.
 */
export type AnswerVariant = 'older' | 'continuous-usage' | 'no-done' | 'eos' | 'think-tags'

export interface ToolCall {
  id: string
  name: string
  /** The fragments of the JSON text of the arguments. */
  arguments: readonly string[]
}

/** In normal form: `completion` includes `reasoning`, and `prompt` includes `cached`. */
export interface UsageNumbers {
  prompt: number
  completion: number
  cached?: number
  reasoning?: number
  /** Searches of the web, where the vendor counts them, and tokens of what they found. */
  searches?: number
  citations?: number
}

/** What one choice of an answer consists of. */
export interface ChoiceParts {
  thinking: readonly string[]
  text: readonly string[]
  refusal: readonly string[]
  calls: readonly ToolCall[]
  finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
}

export function choicesOf(answer: Answer): ChoiceParts[] {
  const empty = { thinking: [], text: [], refusal: [], calls: [], finish: 'stop' } as const
  switch (answer.kind) {
    case 'text':
    case 'mid-stream-error':
      return [{ ...empty, text: answer.pieces }]
    case 'tools':
      return [{ ...empty, text: answer.pieces ?? [], calls: answer.calls, finish: 'tool_calls' }]
    case 'reasoning':
      return [{ ...empty, thinking: answer.thinking, text: answer.pieces }]
    case 'choices':
      return answer.choices.map((pieces) => ({ ...empty, text: pieces }))
    case 'refusal':
      return [{ ...empty, refusal: answer.pieces }]
    case 'content-filter':
      return [{ ...empty, text: answer.pieces, finish: 'content_filter' }]
    case 'length':
      return [{ ...empty, thinking: answer.thinking ?? [], text: answer.pieces, finish: 'length' }]
    default:
      return answer satisfies never
  }
}

/** The usage an answer reports, or null when it reports none. */
export function usageOf(answer: Answer): Required<UsageNumbers> | null {
  if (answer.usage === null) return null
  const reasoning = choicesOf(answer).reduce((sum, choice) => sum + choice.thinking.length, 0)
  const said = choicesOf(answer).reduce((sum, choice) => sum + choice.text.length + choice.refusal.length, 0)
  const defaults = { prompt: 16, completion: said + reasoning, cached: 0, reasoning: 0, searches: 0, citations: 0 }
  return { ...defaults, ...answer.usage }
}

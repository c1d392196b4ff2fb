import type { Wire } from '../wire.ts'

/** The output of a simulated model, independent of a vendor's format. */
export type Answer = AnswerOptions &
  (
    | { kind: 'text'; pieces: readonly string[] }
    | { kind: 'tools'; calls: readonly ToolCall[]; pieces?: readonly string[] }
    | { kind: 'reasoning'; thinking: readonly string[]; pieces: readonly string[] }
    /** One array of pieces per choice, for n > 1. */
    | { kind: 'choices'; choices: readonly (readonly string[])[] }
    | { kind: 'refusal'; pieces: readonly string[] }
    | { kind: 'content-filter'; pieces: readonly string[] }
    /** Without pieces, the model spent its whole budget thinking. */
    | { kind: 'length'; pieces: readonly string[]; thinking?: readonly string[] }
    | { kind: 'mid-stream-error'; pieces: readonly string[]; message?: string; doneAfterError?: boolean }
  )

export interface AnswerOptions {
  model?: string
  /** Null omits usage; the default is 16 prompt tokens and one completion token per piece. */
  usage?: UsageNumbers | null
  /** The client's `stream_options.include_usage`; true by default. Some vendors ignore it. */
  includeUsage?: boolean
  variant?: AnswerVariant
  wire?: Wire
}

/**
 * Variants of a vendor's usual format. `older`: vllm reasons in `reasoning_content`, moonshot puts usage inside the
 * choice. `continuous-usage`: vllm with running usage on every chunk. `no-done`: the stream ends without `[DONE]`, like
 * perplexity's on some models. `eos`: together's finish reason `eos`. `think-tags`: generic servers that leave
 * `<think>` in the content.
 */
export type AnswerVariant = 'older' | 'continuous-usage' | 'no-done' | 'eos' | 'think-tags'

export interface ToolCall {
  id: string
  name: string
  /** The fragments of the arguments' JSON string. */
  arguments: readonly string[]
}

/** In normal form: `completion` includes `reasoning`, and `prompt` includes `cached`. */
export interface UsageNumbers {
  prompt: number
  completion: number
  cached?: number
  reasoning?: number
  /** Web searches, if the vendor counts them, and tokens of their results. */
  searches?: number
  citations?: number
}

/** The parts of one choice. */
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

/** The reported usage of an answer, or null. */
export function usageOf(answer: Answer): Required<UsageNumbers> | null {
  if (answer.usage === null) return null
  const reasoning = choicesOf(answer).reduce((sum, choice) => sum + choice.thinking.length, 0)
  const said = choicesOf(answer).reduce((sum, choice) => sum + choice.text.length + choice.refusal.length, 0)
  const defaults = { prompt: 16, completion: said + reasoning, cached: 0, reasoning: 0, searches: 0, citations: 0 }
  return { ...defaults, ...answer.usage }
}

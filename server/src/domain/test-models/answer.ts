import type { ToolCall } from './tool-calls-for.ts'

/** A test model's response and its fault, before it is known whether it is streamed. */
export interface Answer {
  readonly reasoning: string
  readonly text: string
  readonly refusal: string
  readonly toolCalls: readonly ToolCall[]
  readonly finish: string
  readonly ending: Ending
  /** Null if the response reports no usage. */
  readonly usage: AnswerUsage | null
  readonly firstTokenAfterMs: number
  readonly betweenWordsMs: number
}

export interface AnswerUsage {
  readonly prompt: number
  readonly completion: number
  readonly cached: number
  readonly reasoning: number
}

/** `whole` is a normal ending; `truncated` closes without a finish reason, `silent` does not even send headers. */
export type Ending = 'whole' | 'truncated' | 'cut' | 'stall' | 'silent' | 'stream-error'

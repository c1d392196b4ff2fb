import type { ToolCall } from './tool-calls-for.ts'

/** What a test model says and how it goes wrong, before it is known whether it is streamed. */
export interface Answer {
  readonly reasoning: string
  readonly text: string
  readonly refusal: string
  readonly toolCalls: readonly ToolCall[]
  readonly finish: string
  readonly ending: Ending
  /** Null: the answer reports no usage at all. */
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

/** `whole` is the good one; `truncated` closes without a finish, `silent` does not even send headers. */
export type Ending = 'whole' | 'truncated' | 'cut' | 'stall' | 'silent' | 'stream-error'

import type { JsonObject } from '#lib/json.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * The states of a batch. A cancelled batch stays in its state until its running lines have ended.
 *
 *     validating → in_progress → finalizing → completed, expired, cancelled
 *     validating → failed
 */
export type BatchStatus = 'validating' | 'in_progress' | 'finalizing' | 'completed' | 'failed' | 'expired' | 'cancelled'

/** The API that created a batch, and shows it. */
export type BatchApi = 'openai' | 'messages'

export interface BatchCounts {
  readonly total: number
  readonly completed: number
  readonly failed: number
  readonly expired: number
  readonly cancelled: number
}

export interface Batch {
  readonly id: Uuid
  readonly api: BatchApi
  /** The path that its lines are sent to, such as `/v1/chat/completions`. */
  readonly endpoint: string
  readonly inputFileId: Uuid
  readonly metadata: JsonObject | null
  readonly status: BatchStatus
  readonly counts: BatchCounts
  readonly errors: readonly BatchError[] | null
  readonly outputFileId: Uuid | null
  readonly errorFileId: Uuid | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly inProgressAtMs: number | null
  readonly finalizingAtMs: number | null
  readonly cancellingAtMs: number | null
  readonly endedAtMs: number | null
}

/** Why a batch failed. `line` is null if no line is the cause. */
export interface BatchError {
  readonly code: string
  readonly message: string
  readonly line: number | null
  readonly param: string | null
}

/** A request of a batch, and its place in the input file. */
export interface BatchLine {
  /** From 1. */
  readonly line: number
  readonly customId: string
  readonly firstByte: number
  readonly byteCount: number
}

export interface PricedLine extends BatchLine {
  /** The most that it can cost. */
  readonly worst: NanoUsd
}

/** The answer to a line. */
export interface LineAnswer {
  readonly status: number
  readonly requestId: string
  /** JSON. */
  readonly body: string
}

/** The end of a line. Only lines that ran have an answer. */
export interface LineResult {
  readonly line: number
  readonly customId: string
  readonly outcome: LineOutcome
  readonly answer: LineAnswer | null
}

export type LineOutcome = 'succeeded' | 'errored' | 'expired' | 'cancelled'

export function isEnded(status: BatchStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'expired' || status === 'cancelled'
}

/** Lines that have not started within this time never start. */
export const completionWindowMs = 86_400_000

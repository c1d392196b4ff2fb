import type { ReasoningFormat } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ClientTool } from './client-tools.ts'

export type Emit = (type: string, fields: JsonObject) => void

export interface OutputOptions {
  /** What the ids of all items begin with, after their kind. */
  readonly idStem: string
  readonly hidesReasoning: boolean
  /** The client asked for encrypted reasoning, so that thinking without a signature returns unread, too. */
  readonly sealsAll: boolean
  readonly emit: Emit
  /** Finds the client's tool by the name that the upstream got. */
  readonly toolNamed: (flatName: string) => ClientTool | undefined
}

/** What is known of a block of thinking while it arrives. */
export interface ReasoningBlock {
  readonly format: ReasoningFormat
  readonly id?: string
  readonly isSummary?: boolean
}

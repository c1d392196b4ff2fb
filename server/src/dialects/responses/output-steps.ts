import type { ReasoningFormat } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import type { ClientTool } from './client-tools.ts'

/** `fields` may be JSON already. It has at least one member and no type. */
export type Emit = (type: string, fields: JsonObject | string) => void

export interface OutputOptions {
  /** The stem of all item ids, after the kind prefix. */
  readonly idStem: string
  readonly hidesReasoning: boolean
  /** The client asked for encrypted reasoning, so reasoning without a signature is encoded too. */
  readonly sealsAll: boolean
  readonly emit: Emit
  /** Finds the client's tool by the name that the upstream got. */
  readonly toolNamed: (flatName: string) => ClientTool | undefined
}

/** The known properties of a reasoning block while it arrives. */
export interface ReasoningBlock {
  readonly format: ReasoningFormat
  readonly id?: string
  readonly isSummary?: boolean
}

import type { JsonObject } from '#lib/json.ts'

/** A chat request after parsing: what the pipeline needs to know, beside the body as the caller sent it. */
export interface ChatCall {
  /** As named by the caller, without the client-side prefix. */
  readonly modelName: string
  readonly stream: boolean
  /** The output cap, whichever of the two fields gave it. */
  readonly maxTokens: number | null
  /** How many completions. */
  readonly choiceCount: number
  /** Estimated from the body's text; only for holds and context checks, never for charging. */
  readonly promptTokensEstimate: number
  readonly body: JsonObject
}

import type { FinishReason } from './finish-reason.ts'
import type { Part } from './parts.ts'
import type { Usage } from './usage.ts'

/** A complete response in canonical form. */
export interface CanonicalReply {
  readonly choices: readonly CanonicalChoice[]
  /** Null if the upstream sent none. */
  readonly usage: Usage | null
}

export interface CanonicalChoice {
  readonly parts: readonly Part[]
  readonly finishReason: FinishReason | null
  /** The upstream's own finish reason. */
  readonly nativeFinishReason: string | null
  /** The stop sequence that ended the output, if the upstream reports it. */
  readonly stopSequence?: string
}

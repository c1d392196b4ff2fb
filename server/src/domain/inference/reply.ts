import type { FinishReason } from './finish-reason.ts'
import type { Part } from './parts.ts'
import type { Usage } from './usage.ts'

/** A whole answer in canonical form. */
export interface CanonicalReply {
  readonly choices: readonly CanonicalChoice[]
  /** Null when the upstream sent none. */
  readonly usage: Usage | null
}

export interface CanonicalChoice {
  readonly parts: readonly Part[]
  readonly finishReason: FinishReason | null
  /** The upstream's own word. */
  readonly nativeFinishReason: string | null
  /** The text that ended the output, where the upstream says which. */
  readonly stopSequence?: string
}

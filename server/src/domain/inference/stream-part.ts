import type { FinishReason } from './finish-reason.ts'
import type { MediaSource, OpaquePart, ReasoningFormat } from './parts.ts'
import type { Usage } from './usage.ts'

/**
 * The events of a streamed response. Events of one block are consecutive: a block is text, a refusal, reasoning or a
 * tool call, and a new kind (or a new tool index) begins a new block. `choice` is 0 unless several were requested.
 */
export type StreamPart =
  | { readonly kind: 'text-added'; readonly choice: number; readonly text: string }
  | { readonly kind: 'refusal-added'; readonly choice: number; readonly text: string }
  | {
      readonly kind: 'reasoning-added'
      readonly choice: number
      readonly text: string
      readonly isSummary?: boolean
      readonly format: ReasoningFormat
      readonly id?: string
    }
  /** Ends a reasoning block: its signature, byte for byte. */
  | {
      readonly kind: 'reasoning-signed'
      readonly choice: number
      readonly signature: string
      readonly format: ReasoningFormat
    }
  /** A complete reasoning block that only its vendor can read. */
  | {
      readonly kind: 'reasoning-encrypted'
      readonly choice: number
      readonly data: string
      readonly format: ReasoningFormat
      readonly id?: string
    }
  /** `index` counts the tool calls of a choice from 0 and never changes. */
  | {
      readonly kind: 'tool-call-started'
      readonly choice: number
      readonly index: number
      readonly id: string
      readonly name: string
      readonly signature?: string
    }
  | { readonly kind: 'tool-call-added'; readonly choice: number; readonly index: number; readonly json: string }
  /** A complete image: its bytes, or its URL. */
  | { readonly kind: 'image-added'; readonly choice: number; readonly source: MediaSource }
  | { readonly kind: 'opaque-added'; readonly choice: number; readonly part: OpaquePart }
  | {
      readonly kind: 'finished'
      readonly choice: number
      readonly reason: FinishReason
      readonly native: string | null
      readonly stopSequence?: string
    }
  /** Cumulative; the last one counts. `isFinal` means that it will not change. */
  | { readonly kind: 'usage-counted'; readonly usage: Usage; readonly isFinal: boolean }
  /** The upstream's own end marker; nothing follows. */
  | { readonly kind: 'ended' }
  | { readonly kind: 'failed'; readonly message: string; readonly code?: string | number }

import type { JsonObject } from '#lib/json.ts'
import type { Part, TextPart } from './parts.ts'

/** A request in canonical form, which every dialect converts to and every protocol converts from. */
export interface CanonicalCall {
  /** Leading instructions, whatever the dialect calls them. */
  readonly system: readonly TextPart[]
  readonly turns: readonly Turn[]
  readonly tools: readonly Tool[]
  readonly toolChoice: ToolChoice | null
  readonly parallelToolCalls: boolean | null
  readonly maxTokens: number | null
  readonly choiceCount: number
  readonly sampling: Sampling
  readonly reasoning: ReasoningWish | null
  readonly responseFormat: ResponseFormat | null
  readonly stream: boolean
  readonly endUser: string | null
  /** Fields without a canonical place, as sent; a protocol forwards those it knows by name. */
  readonly extras: JsonObject
  /** The text to continue, for upstreams that can do so without a conversation; missing for all conversations. */
  readonly continuation?: Continuation
}

export interface Continuation {
  /** Each is continued on its own. */
  readonly prompts: readonly string[]
  /** The text after the gap to fill; null if there is none. */
  readonly suffix: string | null
  /** The number of likely tokens to list with each token; null for no log probabilities. */
  readonly logprobs: number | null
}

/** Tool results are parts of a user turn. Instructions in mid-conversation keep their position. */
export interface Turn {
  readonly role: 'user' | 'assistant' | 'system'
  readonly parts: readonly Part[]
}

export interface Tool {
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
  readonly strict?: boolean
  readonly cache?: unknown
}

export type ToolChoice =
  | { readonly kind: 'auto' | 'none' | 'required' }
  | { readonly kind: 'tool'; readonly name: string }

export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly topA?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly repetitionPenalty?: number
  readonly seed?: number
  readonly stop?: readonly string[]
}

export interface ReasoningWish {
  /** `false` requests no reasoning. */
  readonly enabled?: boolean
  /** As sent: low, medium, high, or another value that a model may know. */
  readonly effort?: string
  readonly budgetTokens?: number
  /** The model reasons, but the response does not show it. */
  readonly exclude?: boolean
  /** The level of detail if only a summary is shown: auto, concise, detailed, as sent. */
  readonly summary?: string
}

export type ResponseFormat =
  | { readonly kind: 'json' }
  | {
      readonly kind: 'schema'
      readonly name: string
      readonly schema: JsonObject
      readonly strict?: boolean
      readonly description?: string
    }

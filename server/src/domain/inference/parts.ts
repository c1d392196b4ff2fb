import type { JsonValue } from '#lib/json.ts'

/**
 * The parts of a message, shared by dialects and protocols. A part that only one vendor knows is `opaque` and returns
 * to that vendor unchanged.
 */
export type Part =
  | TextPart
  | ImagePart
  | FilePart
  | AudioPart
  | VideoPart
  | ToolCallPart
  | ToolResultPart
  | ReasoningPart
  | RefusalPart
  | OpaquePart

export interface TextPart {
  readonly kind: 'text'
  readonly text: string
  readonly cache?: CacheMark
}

/** A prompt cache marker as sent, such as `{"type":"ephemeral","ttl":"1h"}`. The gateway adds none of its own. */
export type CacheMark = JsonValue

export type MediaSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'data'; readonly mediaType: string; readonly base64: string }

export interface ImagePart {
  readonly kind: 'image'
  readonly source: MediaSource
  readonly detail?: string
  readonly cache?: CacheMark
}

export interface FilePart {
  readonly kind: 'file'
  readonly source: MediaSource
  readonly filename?: string
  readonly cache?: CacheMark
}

export interface AudioPart {
  readonly kind: 'audio'
  readonly base64: string
  /** For example wav or mp3. */
  readonly format: string
}

export interface VideoPart {
  readonly kind: 'video'
  readonly source: MediaSource
}

export interface ToolCallPart {
  readonly kind: 'tool-call'
  readonly id: string
  readonly name: string
  /** JSON text as the model wrote it; empty counts as `{}`. */
  readonly argumentsJson: string
  /** An upstream's signature over the reasoning that led to the call; it must return with the call, byte for byte. */
  readonly signature?: string
  readonly cache?: CacheMark
}

export interface ToolResultPart {
  readonly kind: 'tool-result'
  readonly callId: string
  readonly content: readonly (TextPart | ImagePart | FilePart)[]
  readonly isError?: boolean
  readonly cache?: CacheMark
}

/** Reasoning: readable text with its signature, a summary, or a block that only its vendor can read. */
export interface ReasoningPart {
  readonly kind: 'reasoning'
  readonly text: string
  readonly isSummary?: boolean
  readonly signature?: string
  /** Encrypted or redacted reasoning, unchanged. */
  readonly encrypted?: string
  readonly id?: string
  /** The format of the reasoning, so that it returns only to upstreams that can read it. */
  readonly format: ReasoningFormat
}

export type ReasoningFormat = 'anthropic' | 'google' | 'openai' | 'grok' | 'unknown'

interface RefusalPart {
  readonly kind: 'refusal'
  readonly text: string
}

export interface OpaquePart {
  readonly kind: 'opaque'
  /** The protocol that understands it. */
  readonly protocol: string
  readonly value: JsonValue
}

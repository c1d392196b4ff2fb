import type { JsonObject } from '../../json-value.ts'
import type { Wire } from '../../wire.ts'

/** The output of a simulated Gemini. */
export type GeminiAnswer = GeminiOptions &
  (
    | { kind: 'text'; pieces: readonly string[]; signature?: string }
    | { kind: 'thoughts'; thoughts: readonly string[]; pieces: readonly string[]; signature?: string }
    | { kind: 'tools'; calls: readonly GeminiToolCall[]; thoughts?: readonly string[]; pieces?: readonly string[] }
    | { kind: 'image'; mimeType: string; data: string; pieces?: readonly string[]; signature?: string }
    | { kind: 'length'; pieces: readonly string[]; thoughts?: readonly string[] }
    | { kind: 'prompt-blocked'; reason?: string }
    /** Without pieces the candidate has no content. */
    | { kind: 'output-blocked'; pieces: readonly string[]; reason?: string }
    | { kind: 'mid-stream-error'; pieces: readonly string[]; message?: string }
    | { kind: 'truncated'; pieces: readonly string[] }
  )

interface GeminiOptions {
  model?: string
  responseId?: string
  /** Null omits usage; the default is 9 prompt tokens and one candidate token per piece. */
  usage?: GeminiUsage | null
  /** Vertex: a creation time on every frame, and a first frame whose usage is only a traffic type. */
  vertex?: boolean
  /** `array`: one JSON array instead of events, as without `alt=sse`. */
  form?: 'events' | 'array'
  wire?: Wire
}

export interface GeminiToolCall {
  name: string
  args: JsonObject
  id?: string
  signature?: string
}

/** Gemini's counts: `prompt` includes `cached`; `thoughts` and `toolUse` are separate. */
export interface GeminiUsage {
  prompt: number
  candidates: number
  thoughts?: number
  cached?: number
  toolUse?: number
  audioInput?: number
  imageOutput?: number
  /** The web search queries. */
  queries?: readonly string[]
}

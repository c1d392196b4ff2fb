import type { JsonObject } from '../../json-value.ts'
import type { Wire } from '../../wire.ts'

/** What a simulated Gemini says. */
export type GeminiAnswer = GeminiOptions &
  (
    | { kind: 'text'; pieces: readonly string[]; signature?: string }
    | { kind: 'thoughts'; thoughts: readonly string[]; pieces: readonly string[]; signature?: string }
    | { kind: 'tools'; calls: readonly GeminiToolCall[]; thoughts?: readonly string[]; pieces?: readonly string[] }
    | { kind: 'image'; mimeType: string; data: string; pieces?: readonly string[]; signature?: string }
    | { kind: 'length'; pieces: readonly string[]; thoughts?: readonly string[] }
    | { kind: 'prompt-blocked'; reason?: string }
    /** Without pieces the candidate has no content at all. */
    | { kind: 'output-blocked'; pieces: readonly string[]; reason?: string }
    | { kind: 'mid-stream-error'; pieces: readonly string[]; message?: string }
    | { kind: 'truncated'; pieces: readonly string[] }
  )

interface GeminiOptions {
  model?: string
  responseId?: string
  /** Null leaves usage out altogether; when absent, 9 prompt tokens and one candidate token per piece. */
  usage?: GeminiUsage | null
  /** Vertex: a creation time on every frame, and a first frame whose usage is only a kind of traffic. */
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

/** As Gemini counts: `prompt` includes `cached`; `thoughts` and `toolUse` are beside the other figures. */
export interface GeminiUsage {
  prompt: number
  candidates: number
  thoughts?: number
  cached?: number
  toolUse?: number
  audioInput?: number
  imageOutput?: number
  /** What was searched for on the web. */
  queries?: readonly string[]
}

import type { ConversationName } from '#test/matrix/axes.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Feature, Said, SampleTool } from '../features.ts'

/** A client that speaks one dialect, as its SDKs do. */
export interface Client {
  readonly dialect: ConversationName
  readonly path: string
  /** The body of a request that asks for a feature. */
  ask(feature: Feature, tools: readonly SampleTool[]): JsonObject
  /** Adds an answer up, and objects to whatever a strict client would trip over. */
  hear(answer: RawAnswer): Heard
  /** The next request of the conversation, with what the tools gave. */
  answerTools(asked: JsonObject, heard: Heard, results: readonly string[]): JsonObject
  /** The next request where no tool was called. */
  goOn(asked: JsonObject, heard: Heard, text: string): JsonObject
  /** This dialect's word for how an answer ended. */
  finishWord(said: Said): string
}

export interface RawAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly isStream: boolean
}

export interface Heard {
  readonly text: string
  readonly refusal: string
  readonly reasoning: string
  /** What the client keeps unread for the next turn. */
  readonly seals: readonly string[]
  readonly calls: readonly HeardCall[]
  readonly finish: string | null
  readonly error: HeardError | null
  readonly usage: HeardUsage | null
  /** What the client appends to its history. */
  readonly history: readonly JsonObject[]
}

interface HeardCall {
  readonly id: string
  readonly name: string
  /** Already parsed: a client would have failed on anything else. */
  readonly input: unknown
}

export interface HeardError {
  readonly message: string
  readonly code: unknown
  readonly type: unknown
}

/** All of the input and all of the output, whatever the dialect counts where. */
export interface HeardUsage {
  readonly input: number
  readonly cached: number
  readonly output: number
  readonly reasoning: number
  readonly cost: number
}

export const nothingHeard: Heard = {
  text: '',
  refusal: '',
  reasoning: '',
  seals: [],
  calls: [],
  finish: null,
  error: null,
  usage: null,
  history: [],
}

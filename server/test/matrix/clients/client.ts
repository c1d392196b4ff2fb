import type { ConversationName } from '#test/matrix/axes.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Feature, Said, SampleTool } from '../features.ts'

/** A client of one dialect that behaves like its SDKs. */
export interface Client {
  readonly dialect: ConversationName
  readonly path: string
  /** The body of a request for a feature. */
  ask(feature: Feature, tools: readonly SampleTool[]): JsonObject
  /** Joins a response, and throws on anything that a strict client would reject. */
  hear(answer: RawAnswer): Heard
  /** The next request of the conversation, with the tool results. */
  answerTools(asked: JsonObject, heard: Heard, results: readonly string[]): JsonObject
  /** The next request if no tool was called. */
  goOn(asked: JsonObject, heard: Heard, text: string): JsonObject
  /** This dialect's finish reason for a response. */
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
  /** Opaque data that the client keeps for the next turn. */
  readonly seals: readonly string[]
  readonly calls: readonly HeardCall[]
  readonly finish: string | null
  readonly error: HeardError | null
  readonly usage: HeardUsage | null
  /** The messages that the client appends to its history. */
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

/** The whole input and the whole output, however the dialect counts them. */
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

import type { ProtocolName } from '#test/matrix/axes.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Feature, Said } from '../features.ts'

/** An upstream that has every feature, in its protocol's format. */
export interface Upstream {
  readonly protocol: ProtocolName
  /** The vendors and their models. */
  readonly vendors: readonly { vendor: string; model: string; basePath: string; api?: 'responses' }[]
  /** The model that has this feature. */
  modelFor(feature: Feature | 'second turn'): string
  /** The response to a request for this feature. */
  play(feature: Feature, stream: boolean): StepsScenario
  /** The content of that response. */
  said(feature: Feature): Said
  /** The cost of that response at the catalogue's price. */
  costUsd(feature: Feature): number
  /** Whether its usage states the reasoning tokens. */
  readonly countsReasoning: boolean

  /** Thinking with a signature, then two calls. */
  playThoughtAndCalls(stream: boolean): StepsScenario
  readonly thoughtAndCalls: ThoughtAndCalls

  /** The content of a request in the protocol's own format. */
  imagesIn(body: JsonObject): unknown[]
  readonly imageForm: unknown
  schemaIn(body: JsonObject): unknown
  toolsIn(body: JsonObject): { name: unknown; description: unknown; schema: unknown }[]
  replayIn(body: JsonObject): Replay
}

interface ThoughtAndCalls {
  readonly reasoning: string
  readonly signatures: readonly string[]
  readonly callIds: readonly [string, string]
}

/** The content that came back to the upstream in a second turn. */
interface Replay {
  readonly reasoning: string
  readonly signatures: readonly string[]
  readonly callIds: readonly string[]
  readonly inputs: readonly unknown[]
  readonly results: readonly { callId: unknown; text: unknown }[]
}

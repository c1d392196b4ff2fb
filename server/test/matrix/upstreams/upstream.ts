import type { ProtocolName } from '#test/matrix/axes.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Feature, Said } from '../features.ts'

/** An upstream that has every feature, in the form of its protocol. */
export interface Upstream {
  readonly protocol: ProtocolName
  /** Which vendors serve which models. */
  readonly vendors: readonly { vendor: string; model: string; basePath: string; api?: 'responses' }[]
  /** The model that has this feature. */
  modelFor(feature: Feature | 'second turn'): string
  /** The answer to a request for this feature. */
  play(feature: Feature, stream: boolean): StepsScenario
  /** What that answer says. */
  said(feature: Feature): Said
  /** What that answer costs at the price of the catalogue's offer. */
  costUsd(feature: Feature): number
  /** Whether its usage record tells how much of the output is reasoning. */
  readonly countsReasoning: boolean

  /** Thinking with a signature, then two calls. */
  playThoughtAndCalls(stream: boolean): StepsScenario
  readonly thoughtAndCalls: ThoughtAndCalls

  /** What a request brings, in the protocol's own form. */
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

/** What came back to the upstream in a second turn. */
interface Replay {
  readonly reasoning: string
  readonly signatures: readonly string[]
  readonly callIds: readonly string[]
  readonly inputs: readonly unknown[]
  readonly results: readonly { callId: unknown; text: unknown }[]
}

import type { CanonicalCall } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { addressOf } from '#providers/address-of.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { requestHeaders } from '#providers/request-headers.ts'
import { buildMessages } from './build-messages.ts'
import { buildToolConfig } from './build-tool-config.ts'
import { cachePointAfter } from './cache-point.ts'
import { bedrockFeatures } from './features.ts'
import { claudeExtras, modelFields } from './model-fields.ts'
import { type ModelTraits, modelTraitsOf } from './model-traits.ts'
import { samplingFor, type SentSampling } from './sampling-for.ts'
import { whatIsIgnored } from './what-is-ignored.ts'

/** The request for Converse or ConverseStream, not yet signed. */
export function buildRequest(call: CanonicalCall, target: Target): ProtocolRequest {
  const { origin, path } = locate(target, call.stream)
  const { body: extras, left } = applyFeatures(call.extras, bedrockFeatures, target.prices)
  const { body, ignored } = buildBody({ ...call, extras }, target)
  return { origin, path, headers: headersFor(call.stream), body: JSON.stringify(body), ignored: [...left, ...ignored] }
}

/**
 * Fields of Converse itself that a client may send by name. `serviceTier` and `performanceConfig` are excluded: they
 * raise Amazon's price, and the catalogue has no such prices.
 */
const converseExtras = ['guardrailConfig', 'requestMetadata', 'additionalModelRequestFields'] as const

function buildBody(call: CanonicalCall, target: Target): { body: JsonObject; ignored: string[] } {
  const traits = modelTraitsOf(target)
  const { fields, isThinking, ignored: ignoredFields } = modelFields(call, traits)
  const sampling = samplingFor(call.sampling, { traits, isThinking })
  const { toolConfig, ignored: ignoredChoice } = buildToolConfig(call, traits)
  const system = call.system.flatMap((part) =>
    part.text.trim() === '' ? [] : [{ text: part.text }, ...cachePointAfter(part.cache, traits)],
  )
  const inferenceConfig = inferenceConfigOf(call, sampling)
  const outputConfig = outputConfigOf(call)
  const modelOwn = { ...fields, ...sampling.modelFields }
  const body: JsonObject = {
    messages: buildMessages(call.turns, { traits, documentNames: new Set() }),
    ...(system.length === 0 ? {} : { system }),
    ...(Object.keys(inferenceConfig).length === 0 ? {} : { inferenceConfig }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(outputConfig === undefined ? {} : { outputConfig }),
    ...stopSequencePaths(call, traits),
    ...Object.fromEntries(
      converseExtras.flatMap((name) => (call.extras[name] === undefined ? [] : [[name, call.extras[name]]])),
    ),
    ...(Object.keys(modelOwn).length === 0 ? {} : { additionalModelRequestFields: modelOwn }),
  }
  const taken = new Set<string>([...converseExtras, ...(traits.isClaude ? claudeExtras : [])])
  const ignored = [...ignoredFields, ...ignoredChoice, ...sampling.ignored, ...whatIsIgnored(call, { traits, taken })]
  return { body, ignored }
}

function inferenceConfigOf({ maxTokens, sampling: { stop = [] } }: CanonicalCall, sampling: SentSampling): JsonObject {
  return {
    ...(maxTokens === null ? {} : { maxTokens }),
    ...sampling.inferenceConfig,
    ...(stop.length === 0 ? {} : { stopSequences: [...stop] }),
  }
}

/** The schema is sent as a string. */
function outputConfigOf({ responseFormat }: CanonicalCall): JsonObject | undefined {
  if (responseFormat?.kind !== 'schema') return undefined
  const { name, description, schema } = responseFormat
  const jsonSchema = { name, ...(description === undefined ? {} : { description }), schema: JSON.stringify(schema) }
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } }
}

/** Claude reports which string ended its output, but only on request. */
function stopSequencePaths({ sampling, stream }: CanonicalCall, { isClaude }: ModelTraits): JsonObject {
  if (!isClaude || sampling.stop === undefined || sampling.stop.length === 0) return {}
  return { additionalModelResponseFieldPaths: [stream ? '/delta/stop_sequence' : '/stop_sequence'] }
}

function locate(target: Target, stream: boolean): { origin: string; path: string } {
  const { origin, prefix, search } = addressOf(target)
  const action = stream ? 'converse-stream' : 'converse'
  return { origin, path: `${prefix}/model/${encodeURIComponent(target.upstreamModel)}/${action}${search}` }
}

/** Headers without a credential: the finished request is signed as a whole. */
function headersFor(stream: boolean): Record<string, string> {
  return requestHeaders({
    contentType: 'application/json',
    accept: stream ? 'application/vnd.amazon.eventstream' : 'application/json',
  })
}

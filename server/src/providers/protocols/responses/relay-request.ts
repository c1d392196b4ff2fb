import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { applyFeatures } from '#providers/features/apply-features.ts'
import type { ProtocolRequest, Target } from '#providers/protocol.ts'
import { openAiOnly } from '../openai/request/build-request.ts'
import { alwaysSaid } from './always-said.ts'
import { wrapResponsesBody } from './build-request.ts'
import { responsesFeatures } from './features.ts'
import { optionalFields } from './known-fields.ts'
import { type ResponsesTarget, responsesVendor } from './responses-host.ts'
import { isThinker, takesField } from './takes-field.ts'
import { effortOf } from './write-reasoning.ts'

/**
 * Relays a body that its client wrote for Responses: unchanged, except for fields that the gateway sets and fields that
 * this upstream would reject.
 */
export function relayResponses(
  { body: asked, stream, maxTokens }: { body: JsonObject; stream: boolean; maxTokens: number | null },
  givenTarget: Target,
): ProtocolRequest {
  const target = { ...givenTarget, vendor: responsesVendor(givenTarget.vendor) }
  const { body: sent, left } = applyFeatures(asked, responsesFeatures, target.prices)
  const { include, reasoning, stream_options: options } = sent
  const said = alwaysSaid({ stream, maxTokens, include: Array.isArray(include) ? include : [] }, target)
  const ignored = [...(said.isCapRaised ? ['max_output_tokens'] : []), ...left]
  const body: JsonObject = { model: target.upstreamModel }
  const wish = isJsonObject(reasoning) && isThinker(target) ? relayReasoning(reasoning) : {}
  const effort = stringAt(wish, 'effort')
  for (const [field, value] of Object.entries(sent)) {
    if (value === null || isForGateway(field) || writtenAnew.has(field)) continue
    if (isIgnored(field, effort, target)) ignored.push(field)
    else body[field] = value
  }
  const wished = Object.keys(wish).length === 0 ? {} : { reasoning: wish }
  const request = wrapResponsesBody({ ...body, ...wished, ...said.fields, ...streamOptions(stream, options) }, target)
  return { ...request, ignored }
}

const writtenAnew = new Set(['max_output_tokens', 'store', 'include', 'reasoning'])

function isIgnored(field: string, effort: string | undefined, target: ResponsesTarget): boolean {
  if (openAiOnly.has(field) && !target.openAiFamily) return true
  return optionalFields.has(field) && !takesField(field, effort, target)
}

/** Translates the gateway's options to the vendor's: the thinking budget, and hiding the thoughts. */
function relayReasoning(reasoning: JsonObject): JsonObject {
  const { exclude, enabled, max_tokens: _, summary, ...rest } = reasoning
  const budgetTokens = countAt(reasoning, 'max_tokens')
  const effort = effortOf({
    ...(typeof enabled === 'boolean' ? { enabled } : {}),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...effortIn(reasoning),
  })
  return {
    ...rest,
    ...(effort === undefined ? {} : { effort }),
    ...(summary === undefined || exclude === true ? {} : { summary }),
  }
}

function effortIn(reasoning: JsonObject): { effort?: string } {
  const effort = stringAt(reasoning, 'effort')
  return effort === undefined ? {} : { effort }
}

/** The only stream option that this protocol knows. */
function streamOptions(stream: boolean, options: JsonValue | undefined): JsonObject {
  if (!stream || !isJsonObject(options) || typeof options.include_obfuscation !== 'boolean') return {}
  return { stream_options: { include_obfuscation: options.include_obfuscation } }
}

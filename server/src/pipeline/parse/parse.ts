import type { DialectCall } from '#dialects/dialect.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { isOpenAiFamily, type Model } from '#domain/catalogue/model.ts'
import { resolveModel } from '#domain/routing/resolve-model.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Arrival } from '../types.ts'

export interface Parsed {
  readonly call: DialectCall
  readonly model: Model
}

export type ParseStage = (arrival: Arrival) => Parsed

/** From the body to a call on a known model. No I/O: the catalogue is a snapshot in memory. */
export function createParse(deps: { catalogue: () => Catalogue; testModels: boolean }): ParseStage {
  return (arrival) => {
    const { dialect } = arrival
    const call = dialect.parse(arrival.body)
    const resolution = resolveModel(call.modelName, deps.catalogue(), arrival.receivedAtMs)
    if (!resolution.found) throw refusal(call.modelName, resolution.why)
    const { model } = resolution
    if (model.author === 'test' && !deps.testModels) throw refusal(call.modelName, 'unknown')
    refuseOtherKinds(model)
    refuseTools(call, model)
    dialect.checkFor?.(call, { isOpenAiFamily: isOpenAiFamily(model) })
    refuseEndlessPrompt(call, model)
    return { call, model }
  }
}

function refusal(name: string, why: 'malformed' | 'unknown' | 'retired'): GatewayError {
  switch (why) {
    case 'malformed':
      return new GatewayError('invalidModelId', { message: `"${name}" is not a model id; use <provider>/<model>.` })
    case 'unknown':
      return new GatewayError('unknownModel', { message: `There is no model "${name}". GET /v1/models lists all.` })
    case 'retired':
      return new GatewayError('modelRetired', {
        message: `The model "${name}" has been retired. GET /v1/models lists its successors.`,
      })
  }
}

function refuseOtherKinds(model: Model): void {
  if (model.outputModalities.includes('text') || model.outputModalities.includes('image')) return
  if (model.kind === 'embedding') {
    throw new GatewayError('embeddingOnChatEndpoint', {
      message: `"${model.id}" makes embeddings; use POST /v1/embeddings.`,
    })
  }
  if (model.kind === 'video') {
    throw new GatewayError('wrongEndpointForVideo', { message: `"${model.id}" makes videos; use POST /v1/videos.` })
  }
  throw new GatewayError('modelEndpointMismatch', { message: `"${model.id}" can not be used for chat.` })
}

// A catalogue that says nothing of a model's parameters refuses nothing.
function refuseTools(call: DialectCall, model: Model): void {
  const parameters = model.supportedParameters ?? []
  if (!call.hasTools || parameters.length === 0 || parameters.includes('tools')) return
  throw new GatewayError('toolUseUnsupported', { message: `"${model.id}" can not call tools.` })
}

// Only what is surely too long is refused here, since the count is a guess; the upstream refuses the rest itself.
const certainty = 2

function refuseEndlessPrompt(call: DialectCall, model: Model): void {
  if (model.contextLength === null || call.promptTokensEstimate <= model.contextLength * certainty) return
  throw new GatewayError('contextTooLong', {
    message: `The prompt is about ${call.promptTokensEstimate} tokens; "${model.id}" takes ${model.contextLength}.`,
  })
}

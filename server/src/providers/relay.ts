import { isForGateway } from '#domain/inference/gateway-fields.ts'
import type { JsonObject } from '#lib/json.ts'
import { applyFeatures } from './features/apply-features.ts'
import type { ProtocolRequest, Target } from './protocol.ts'
import { wrapMessagesBody } from './protocols/anthropic/build-request.ts'
import { applyBetas, messagesFeatures } from './protocols/anthropic/features.ts'
import { boundSearchTools } from './protocols/anthropic/search-tools.ts'
import { openAiTarget } from './protocols/openai/openai-target.ts'
import { buildChatRequest } from './protocols/openai/request/build-request.ts'
import { relayResponses } from './protocols/responses/relay-request.ts'
import { temperatureMax } from './traits/claude-sampling.ts'

interface RelayCall {
  readonly body: JsonObject
  readonly stream: boolean
  readonly maxTokens: number | null
}

/**
 * Relays for requests in the upstream's own dialect: the body passes unchanged, except for fields that the gateway
 * sets.
 */
export const relays = { chat: relayChat, messages: relayMessages, responses: relayResponses } as const

function relayChat(call: RelayCall, target: Target): ProtocolRequest {
  const { body, stream, maxTokens } = call
  return buildChatRequest(openAiTarget(target), { body, stream, maxTokens })
}

function relayMessages(call: RelayCall, target: Target): ProtocolRequest {
  const { betas, temperature } = call.body
  const body = Object.fromEntries(Object.entries(call.body).filter(([key]) => isForUpstream(key)))
  if (Array.isArray(body.tools)) body.tools = boundSearchTools(body.tools)
  const asked = Array.isArray(betas) ? betas.filter((beta) => typeof beta === 'string') : []
  const named = applyBetas(asked, target.prices)
  const ignored = call.body.plugins === undefined ? [] : ['plugins']
  if (typeof temperature === 'number' && temperature > temperatureMax) {
    body.temperature = temperatureMax
    ignored.push('temperature')
  }
  const priced = applyFeatures(body, messagesFeatures, target.prices)
  return {
    ...wrapMessagesBody({ body: priced.body, betas: named.betas }, target),
    ignored: [...ignored, ...priced.left, ...named.left],
  }
}

/** Betas are sent in a header. */
function isForUpstream(field: string): boolean {
  return field === 'stream' || !(isForGateway(field) || field === 'betas' || field === 'plugins')
}

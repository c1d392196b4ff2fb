import type { CanonicalCall, Continuation } from '#domain/inference/call.ts'
import { samplingFields } from '#domain/inference/sampling-fields.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { addressOf } from '#providers/address-of.ts'
import type { Protocol, ProtocolRequest, Target } from '#providers/protocol.ts'
import { credentialHeaders, jsonHeaders } from '#providers/request-headers.ts'
import type { CompletionsApi, OpenAiVendor, VendorSpec } from '#providers/spec.ts'
import { openAiProtocol } from '../openai-protocol.ts'
import { asChatDocument, createChatEvents } from './as-chat.ts'

/** Whether this vendor's API for text completions serves the model. */
export function hasCompletions(vendor: VendorSpec, upstreamModel: string): boolean {
  if (vendor.protocol !== 'openai' || vendor.completions === undefined) return false
  return vendor.completions.serves?.(upstreamModel) ?? true
}

/** OpenAI's older API for prompts without messages. Its answers are those of chat in other words. */
export const completionsProtocol: Protocol = {
  ...openAiProtocol,
  learnableFields: {},
  buildRequest,
  createStreamReader: (vendor, note) => {
    const reader = openAiProtocol.createStreamReader(vendor, note)
    const events = createChatEvents()
    return {
      push: (bytes) => reader.push(events.push(bytes)),
      end: () => [...reader.push(events.end()), ...reader.end()],
    }
  },
  readDocument: (bytes, vendor, note) => openAiProtocol.readDocument(asChatDocument(bytes), vendor, note),
}

function buildRequest(call: CanonicalCall, target: Target): ProtocolRequest {
  const { vendor, credential, upstreamModel } = target
  const { continuation, stream } = call
  assert(vendor.protocol === 'openai' && vendor.completions !== undefined, `${vendor.slug} completes texts`)
  assert(continuation !== undefined, 'a call for a completion has prompts')
  const { completions: api } = vendor
  refuseUnsupported(continuation, api, upstreamModel)
  const { body, ignored } = optionalBody(call, { vendor, api, isOpenAiFamily: target.openAiFamily })
  const { prompts, suffix, logprobs } = continuation
  const whole: JsonObject = {
    model: upstreamModel,
    prompt: prompts.length === 1 ? prompts[0] : [...prompts],
    ...(suffix === null ? {} : { suffix }),
    ...(logprobs === null ? {} : { logprobs }),
    ...(call.maxTokens === null ? {} : { max_tokens: call.maxTokens }),
    ...body,
    stream,
    ...(stream && vendor.openai.streamUsage === 'ask' ? { stream_options: { include_usage: true } } : {}),
  }
  const { origin, prefix, search } = addressOf(target)
  return {
    origin,
    path: (api.pathFrom?.(prefix) ?? `${prefix}/completions`) + search,
    headers: { ...jsonHeaders(stream), ...credentialHeaders(vendor.authentication, credential) },
    body: JSON.stringify(whole),
    ignored,
  }
}

interface Optional {
  readonly vendor: OpenAiVendor
  readonly api: CompletionsApi
  readonly isOpenAiFamily: boolean
}

/** The fields that this upstream takes, and the names of the others. */
function optionalBody(
  call: CanonicalCall,
  { vendor, api, isOpenAiFamily }: Optional,
): { body: JsonObject; ignored: string[] } {
  const { prompts = [] } = call.continuation ?? {}
  const { stop } = call.sampling
  const count = call.choiceCount / Math.max(1, prompts.length)
  const asked: JsonObject = {
    ...(count === 1 ? {} : { n: count }),
    ...numbersOf(call),
    ...(isOpenAiFamily ? { logit_bias: call.extras.logit_bias, user: call.endUser ?? undefined } : {}),
  }
  const body: JsonObject = stop === undefined ? {} : { stop: [...stop] }
  const ignored: string[] = []
  for (const [name, value] of Object.entries(asked)) {
    if (value === undefined) continue
    if (everywhere.has(name) || api.takes.has(name)) body[vendor.openai.renames?.[name] ?? name] = value
    else ignored.push(name)
  }
  return { body, ignored }
}

function numbersOf({ sampling }: CanonicalCall): JsonObject {
  const { stop: _, ...numbers } = sampling
  return Object.fromEntries(
    Object.entries(samplingFields).map(([name, field]) => [field, numbers[name as keyof typeof numbers]]),
  )
}

const everywhere: ReadonlySet<string> = new Set(['temperature', 'top_p'])

function refuseUnsupported({ prompts, suffix, logprobs }: Continuation, api: CompletionsApi, model: string): void {
  if (suffix !== null && api.fillsGaps?.(model) !== true) throw unsupported('`suffix`')
  if (logprobs !== null && api.hasLogprobs !== true) throw unsupported('`logprobs`')
  if (prompts.length > 1 && api.takesManyPrompts !== true) {
    throw unsupported('several strings as `prompt`. Send one request for each')
  }
}

function unsupported(what: string): GatewayError {
  return new GatewayError('unsupportedParam', { message: `The providers of this model do not support ${what}.` })
}

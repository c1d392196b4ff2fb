import type { CanonicalCall } from '#domain/inference/call.ts'

export interface StrippedCall {
  readonly call: CanonicalCall
  /** The dropped field names, as clients write them. */
  readonly dropped: readonly string[]
}

/**
 * Chat and Responses have fields that are reserved for OpenAI models. They are dropped for other vendors, even those
 * with an equivalent, so that the meaning of a request does not depend on the provider.
 */
export function withoutOpenAiFields(call: CanonicalCall): StrippedCall {
  const extras = Object.entries(call.extras)
  const dropped = extras.filter(([name, value]) => openAiExtras.has(name) && value !== null).map(([name]) => name)
  if (call.parallelToolCalls !== null) dropped.push('parallel_tool_calls')
  if (call.endUser !== null) dropped.push('user')
  if (dropped.length === 0) return { call, dropped }
  const kept = Object.fromEntries(extras.filter(([name]) => !openAiExtras.has(name)))
  return { call: { ...call, parallelToolCalls: null, endUser: null, extras: kept }, dropped }
}

const openAiExtras = new Set(['logprobs', 'top_logprobs', 'logit_bias', 'service_tier'])

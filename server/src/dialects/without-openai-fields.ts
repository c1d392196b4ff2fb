import type { CanonicalCall } from '#domain/inference/call.ts'

export interface StrippedCall {
  readonly call: CanonicalCall
  /** The names of what was taken out, as clients write them. */
  readonly dropped: readonly string[]
}

/**
 * Chat and Responses have fields that are promised to models of OpenAI alone. Other vendors may have words for some of
 * them; they are not told all the same, so that what a call means does not depend on who happens to serve it.
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

import type { JsonObject } from '#lib/json.ts'

/** The parameters that catalogues list, by their names in each dialect. */
const spellings: ReadonlyMap<string, string> = new Map([
  ['tools', 'tools'],
  ['tool_choice', 'tool_choice'],
  ['parallel_tool_calls', 'parallel_tool_calls'],
  ['response_format', 'response_format'],
  ['structured_outputs', 'structured_outputs'],
  ['text', 'response_format'],
  ['temperature', 'temperature'],
  ['top_p', 'top_p'],
  ['top_k', 'top_k'],
  ['top_a', 'top_a'],
  ['min_p', 'min_p'],
  ['seed', 'seed'],
  ['stop', 'stop'],
  ['stop_sequences', 'stop'],
  ['max_tokens', 'max_tokens'],
  ['max_completion_tokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['frequency_penalty', 'frequency_penalty'],
  ['presence_penalty', 'presence_penalty'],
  ['repetition_penalty', 'repetition_penalty'],
  ['logit_bias', 'logit_bias'],
  ['logprobs', 'logprobs'],
  ['top_logprobs', 'top_logprobs'],
  ['reasoning', 'reasoning'],
  ['reasoning_effort', 'reasoning'],
  ['thinking', 'reasoning'],
  ['enable_thinking', 'reasoning'],
])

/** The parameters of a request that a provider may not support. */
export function requestedParameters(body: JsonObject): string[] {
  const names = new Set<string>()
  for (const [field, value] of Object.entries(body)) {
    const name = spellings.get(field)
    if (name !== undefined && value !== null && value !== undefined) names.add(name)
  }
  return [...names]
}

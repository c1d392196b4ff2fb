import { thinkingFields } from './thinking-fields.ts'

/**
 * Fields that clients of chat completions have for one host or another. A strict host refuses a request for each of them that it does
 * not know. What is not listed here is the client's own affair and passes as it is.
 */
export const optionalFields: ReadonlySet<string> = new Set([
  ...thinkingFields,
  'audio',
  'cache_control',
  'frequency_penalty',
  'image_config',
  'include_reasoning',
  'input_audio',
  'logit_bias',
  'logprobs',
  'metadata',
  'min_p',
  'modalities',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_format',
  'repetition_penalty',
  'safety_identifier',
  'seed',
  'service_tier',
  'store',
  'structured_outputs',
  'top_a',
  'top_k',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
])

/** Those that OpenAI itself knows, by its SDK 7.53. */
export const openAiFields: ReadonlySet<string> = new Set([
  'audio',
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'metadata',
  'modalities',
  'n',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_retention',
  'reasoning_effort',
  'safety_identifier',
  'seed',
  'service_tier',
  'store',
  'top_logprobs',
  'user',
  'verbosity',
  'web_search_options',
])

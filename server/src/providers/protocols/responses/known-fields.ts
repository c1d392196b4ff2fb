import { optionalFields as chatFields } from '../openai/request/known-fields.ts'

/** The optional fields of OpenAI's SDK 7.55 that make sense without stored responses. */
export const openAiFields: ReadonlySet<string> = new Set([
  'access_programs',
  'context_management',
  'image',
  'max_tool_calls',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'safety_identifier',
  'service_tier',
  'temperature',
  'text.verbosity',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
])

/**
 * Fields of Responses or of chat that some upstreams know. A strict upstream rejects each field that it does not know.
 * Fields that are not listed pass unchanged, at the client's own risk.
 */
export const optionalFields: ReadonlySet<string> = new Set([
  ...chatFields,
  ...openAiFields,
  'max_completion_tokens',
  'max_tokens',
  'plugins',
  'search_parameters',
  'stop',
])

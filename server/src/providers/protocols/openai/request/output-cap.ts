import { outputCapFields, type OutputCapField } from '#domain/routing/trait-overrides.ts'

/** Whether a client states its cap in this field. The gateway writes the value into the upstream's field. */
export function isOutputCap(field: string): boolean {
  return outputCapFields.some((name) => name === field)
}

/**
 * OpenAI's reasoning models reject `max_tokens`; its other models accept either. If a deployment's name says nothing,
 * our own model id decides.
 */
export function openAiOutputCap(upstreamModel: string, model?: string): OutputCapField | undefined {
  return isReasoningModel(upstreamModel, model) ? 'max_completion_tokens' : undefined
}

/**
 * Whether some server reads this field as a cap, besides the two names of chat completions. llama.cpp prefers
 * `n_predict` to `max_tokens`, so a client could raise the cap that sized its hold.
 */
export function isForeignCap(field: string): boolean {
  return foreignCaps.has(field)
}

const foreignCaps: ReadonlySet<string> = new Set([
  'max_gen_len',
  'max_length',
  'max_new_tokens',
  'max_output_tokens',
  'max_tokens_to_sample',
  'n_predict',
  'num_predict',
  'tokens_to_generate',
])

/** Whether the model is one of OpenAI's reasoning models. */
export function isReasoningModel(upstreamModel: string, model?: string): boolean {
  const names = [upstreamModel, model?.slice(model.indexOf('/') + 1) ?? '']
  return names.some((name) => reasoningModel.test(name))
}

/** The o-series, and everything since GPT-5. */
const reasoningModel = /^(?:ft:)?(?:o\d|codex-|gpt-(?:[5-9]|\d\d))/

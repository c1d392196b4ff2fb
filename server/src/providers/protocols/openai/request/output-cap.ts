import type { OutputCapField } from '#domain/routing/trait-overrides.ts'

/**
 * OpenAI's reasoning models refuse `max_tokens`; its other models take either. A deployment may have a name that says nothing; then
 * our own id of the model tells.
 */
export function openAiOutputCap(upstreamModel: string, model?: string): OutputCapField | undefined {
  return isReasoningModel(upstreamModel, model) ? 'max_completion_tokens' : undefined
}

/** Whether it is one of OpenAI's reasoning models. */
export function isReasoningModel(upstreamModel: string, model?: string): boolean {
  const names = [upstreamModel, model?.slice(model.indexOf('/') + 1) ?? '']
  return names.some((name) => reasoningModel.test(name))
}

/** The o-series, and everything since GPT-5. */
const reasoningModel = /^(?:ft:)?(?:o\d|codex-|gpt-(?:[5-9]|\d\d))/

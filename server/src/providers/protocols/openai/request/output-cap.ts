import type { OutputCapField } from '#providers/spec.ts'

/**
 * OpenAI's reasoning models refuse `max_tokens`; its other models take either. A deployment may have a name that says nothing; then
 * our own id of the model tells.
 */
export function openAiOutputCap(upstreamModel: string, model?: string): OutputCapField | undefined {
  const names = [upstreamModel, model?.slice(model.indexOf('/') + 1) ?? '']
  return names.some((name) => reasoningModel.test(name)) ? 'max_completion_tokens' : undefined
}

/** The o-series, and everything since GPT-5. */
const reasoningModel = /^(?:ft:)?(?:o\d|codex-|gpt-(?:[5-9]|\d\d))/

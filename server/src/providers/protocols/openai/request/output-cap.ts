import type { OutputCapField } from '#providers/spec.ts'

/** OpenAI's reasoning models refuse `max_tokens`; its other models take either. */
export function openAiOutputCap(upstreamModel: string): OutputCapField | undefined {
  return reasoningModel.test(upstreamModel) ? 'max_completion_tokens' : undefined
}

/** The o-series, and everything since GPT-5. */
const reasoningModel = /^(?:ft:)?(?:o\d|codex-|gpt-(?:[5-9]|\d\d))/

import type { Model } from '#domain/catalogue/model.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import type { RealtimeTask } from './media-task.ts'

/** The context of a model that states none. */
const usualContextMax = 1_048_576

/** The output cap of a model that states none: the cap of most realtime models. */
const usualOutputMax = 4_096

/** The most input tokens of one response of the model. */
export function realtimeInputMax({ contextLength }: Pick<Model, 'contextLength'>): number {
  return contextLength ?? usualContextMax
}

/** The most output tokens of one response, by the first maximum that is stated. */
export function realtimeOutputMax(...stated: readonly (number | null)[]): number {
  return stated.find((maximum) => maximum !== null) ?? usualOutputMax
}

/**
 * The maximum usage of one response. Each token counts as text and as audio at once, cached or not, because only the
 * upstream knows which of them it was.
 */
export function worstRealtime({ inputTokensMax, outputTokensMax }: RealtimeTask, model?: Model): Usage {
  const contextMax = model === undefined ? usualContextMax : realtimeInputMax(model)
  const input = Math.min(inputTokensMax ?? contextMax, contextMax)
  const output = outputTokensMax ?? realtimeOutputMax(model?.maxCompletionTokens ?? null)
  return {
    ...noUsage,
    uncachedInput: input,
    cacheRead: input,
    audioInput: input,
    textOutput: output,
    audioOutput: output,
    media: { cachedAudioTokens: input },
  }
}

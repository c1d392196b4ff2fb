import type { Sampling } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { claudeSampling } from '#providers/traits/claude-sampling.ts'
import type { ModelTraits } from './model-traits.ts'

/**
 * A client's temperature, top-p and top-k: the fields of Converse, the fields passed to the model, and those that are
 * dropped.
 */
export interface SentSampling {
  readonly inferenceConfig: JsonObject
  readonly modelFields: JsonObject
  readonly ignored: readonly string[]
}

/** The maximum of Converse. Other APIs allow up to 2. */
const temperatureMax = 1

export function samplingFor(
  sampling: Sampling,
  { traits, isThinking }: { traits: ModelTraits; isThinking: boolean },
): SentSampling {
  if (traits.isClaude) {
    const { topK, ignored, ...inferenceConfig } = claudeSampling(sampling, { traits: traits.claude, isThinking })
    return { inferenceConfig, modelFields: topK === undefined ? {} : { top_k: topK }, ignored }
  }
  const { temperature, topP, topK = 0 } = sampling
  const isTopKLost = topK > 0 && !traits.isNova
  return {
    inferenceConfig: {
      ...(temperature === undefined ? {} : { temperature: Math.min(temperature, temperatureMax) }),
      ...(topP === undefined ? {} : { topP }),
    },
    modelFields: topK > 0 && traits.isNova ? { inferenceConfig: { topK } } : {},
    ignored: [
      ...(temperature !== undefined && temperature > temperatureMax ? ['temperature'] : []),
      ...(isTopKLost ? ['top_k'] : []),
    ],
  }
}

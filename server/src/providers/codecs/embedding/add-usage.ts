import { noUsage, type Usage } from '#domain/inference/usage.ts'

/** The total usage of several requests. If one has no count, the total has none: nothing is estimated. */
export function addUsage(usages: readonly (Usage | null)[]): Usage | null {
  let uncachedInput = 0
  let inputImages = 0
  let inputImageTokens = 0
  for (const usage of usages) {
    if (usage === null) return null
    uncachedInput += usage.uncachedInput
    inputImages += usage.media?.inputImages ?? 0
    inputImageTokens += usage.media?.inputImageTokens ?? 0
  }
  return inputUsage(uncachedInput, { inputImages, inputImageTokens })
}

/** The usage of text tokens and of images, which are counted separately. */
export function inputUsage(
  tokens: number,
  { inputImages = 0, inputImageTokens = 0 }: { inputImages?: number; inputImageTokens?: number } = {},
): Usage {
  const hasImages = inputImages > 0 || inputImageTokens > 0
  return { ...noUsage, uncachedInput: tokens, ...(hasImages ? { media: { inputImages, inputImageTokens } } : {}) }
}

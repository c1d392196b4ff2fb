import { noUsage, type Usage } from '#domain/inference/usage.ts'

/**
 * What several requests counted together. One that counted nothing leaves the whole uncounted: nothing is estimated.
 */
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

/** Tokens of text, and what was counted of images beside them. */
export function inputUsage(
  tokens: number,
  { inputImages = 0, inputImageTokens = 0 }: { inputImages?: number; inputImageTokens?: number } = {},
): Usage {
  const hasImages = inputImages > 0 || inputImageTokens > 0
  return { ...noUsage, uncachedInput: tokens, ...(hasImages ? { media: { inputImages, inputImageTokens } } : {}) }
}

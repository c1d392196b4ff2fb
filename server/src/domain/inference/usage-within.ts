import { promptTokensOf, type MediaUsage, type Usage, type UsageClasses } from './usage.ts'

/** The maximum input and output of a usage report. */
interface UsageMost {
  readonly promptTokens: number
  /** For text, reasoning and audio; images in the output have no cap. */
  readonly outputTokens: number
  readonly imageTokens: number
  readonly webSearches: number
  readonly citationTokens: number
}

/**
 * Cuts a usage report to the maximum input and output. It drops a cost that the upstream states, because that is the
 * cost of the whole report.
 */
export function usageWithin(usage: Usage, most: UsageMost): Usage {
  const { media, ...classes } = usage
  const cut: Usage = {
    ...cutClasses(cutClasses(classes, written, most.outputTokens), read, most.promptTokens),
    imageOutput: Math.min(usage.imageOutput, most.imageTokens),
  }
  if (media === undefined) return cut
  const promptLeft = most.promptTokens - promptTokensOf(cut)
  return { ...cut, media: cutMedia(media, { ...most, promptTokens: promptLeft }) }
}

/** Cuts the sum of all classes to a number of tokens, beginning with the last class. */
export function cutClasses<Counted extends UsageClasses>(
  usage: Counted,
  classes: readonly (keyof UsageClasses)[],
  most: number,
): Counted {
  const cut = { ...usage }
  let left = most
  for (const item of classes) {
    cut[item] = Math.min(usage[item], left)
    left -= cut[item]
  }
  return cut
}

const written = ['textOutput', 'reasoningOutput', 'audioOutput'] as const
const read = ['uncachedInput', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h', 'audioInput'] as const

function cutMedia(media: MediaUsage, most: UsageMost): MediaUsage {
  const { statedNano: _, webSearches, citationTokens, inputImageTokens, ...rest } = media
  return {
    ...rest,
    ...(webSearches === undefined ? {} : { webSearches: Math.min(webSearches, most.webSearches) }),
    ...(citationTokens === undefined ? {} : { citationTokens: Math.min(citationTokens, most.citationTokens) }),
    ...(inputImageTokens === undefined ? {} : { inputImageTokens: Math.min(inputImageTokens, most.promptTokens) }),
  }
}

import type { Sampling } from '#domain/inference/call.ts'
import type { ClaudeTraits } from './claude-traits.ts'

/** The sampling options that a release of Claude accepts, and the names of those that it does not. */
interface ClaudeSampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly ignored: readonly string[]
}

/** Other vendors allow up to two. */
export const temperatureMax = 1
/** Claude's defaults. Omitting them changes nothing. */
const temperatureByItself = 1
const topPByItselfMin = 0.99
/** While thinking, Claude accepts a top-p from this value on and no other sampling option. */
const topPWhileThinkingMin = 0.95

export function claudeSampling(
  { temperature, topP, topK = 0 }: Sampling,
  { traits, isThinking }: { traits: ClaudeTraits; isThinking: boolean },
): ClaudeSampling {
  const isFree = !isThinking && traits.sampling !== 'none'
  const heard = isFree && temperature !== undefined ? clamp(temperature) : undefined
  const takesTopP = topP !== undefined && isTopPTaken(topP, { traits, isThinking, hasTemperature: heard !== undefined })
  // Zero means no top-k sampling, which is expressed by omitting the field.
  const isTopK = topK !== 0
  const ignored: readonly (readonly [name: string, isLost: boolean])[] = [
    ['temperature', temperature !== undefined && temperature !== (heard ?? temperatureByItself)],
    ['top_p', topP !== undefined && !takesTopP && (traits.sampling !== 'none' || topP < topPByItselfMin)],
    ['top_k', isTopK && !isFree],
  ]
  return {
    ...(heard === undefined ? {} : { temperature: heard }),
    ...(takesTopP ? { topP } : {}),
    ...(isTopK && isFree ? { topK } : {}),
    ignored: ignored.filter(([, isLost]) => isLost).map(([name]) => name),
  }
}

function clamp(temperature: number): number {
  return Math.min(temperatureMax, Math.max(0, temperature))
}

function isTopPTaken(
  topP: number,
  { traits, isThinking, hasTemperature }: { traits: ClaudeTraits; isThinking: boolean; hasTemperature: boolean },
): boolean {
  if (traits.sampling === 'none') return false
  if (isThinking) return topP >= topPWhileThinkingMin
  return traits.sampling === 'all' || !hasTemperature
}

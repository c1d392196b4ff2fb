import type { Sampling } from '#domain/inference/call.ts'
import type { ClaudeTraits } from './claude-traits.ts'

/** The part of a client's sampling that a release of Claude takes, and the names of what it does not. */
interface ClaudeSampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly ignored: readonly string[]
}

/** Other vendors go on to two. */
export const temperatureMax = 1
/** What Claude does by itself: to ask for it changes nothing, so leaving it out takes nothing away. */
const temperatureByItself = 1
const topPByItselfMin = 0.99
/** While it thinks, it takes a top-p from here on and no other sampling. */
const topPWhileThinkingMin = 0.95

export function claudeSampling(
  { temperature, topP, topK = 0 }: Sampling,
  { traits, isThinking }: { traits: ClaudeTraits; isThinking: boolean },
): ClaudeSampling {
  const isFree = !isThinking && traits.sampling !== 'none'
  const heard = isFree && temperature !== undefined ? clamp(temperature) : undefined
  const takesTopP = topP !== undefined && isTopPTaken(topP, { traits, isThinking, hasTemperature: heard !== undefined })
  // Zero means no top-k sampling, which is expressed by its absence.
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

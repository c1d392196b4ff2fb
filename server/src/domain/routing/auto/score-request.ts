import { type AutoRequest, featureNames, featuresOf } from './features.ts'
import { type AutoTier, autoTiers } from './tiers.ts'
import { weights } from './weights.ts'

export interface Score {
  readonly tier: AutoTier
  /**
   * The probability of the tier, from 0 to 1. It is low if no feature distinguished the tiers, and the tier is
   * `standard`.
   */
  readonly confidence: number
  /** The next most likely tier and its probability. */
  readonly runnerUp: AutoTier
  readonly runnerUpConfidence: number
}

/** The tier of a request. One pass over the text and one small table of weights: no I/O, no model. */
export function scoreRequest(request: AutoRequest): Score {
  // A request for an image says so outside of the text.
  if (request.wantsImage) return certain('image')
  return best(featuresOf(request), tiersFor(request))
}

const table = Float64Array.from(featureNames.flatMap((name) => weights[name]))

const evidenceMin = 0.13

/** The most probable of some tiers, by a linear model with the weights of the table. */
function best(features: Float64Array, among: readonly AutoTier[]): Score {
  const scores = among.map((tier) => {
    const column = autoTiers.indexOf(tier)
    let sum = 0
    for (let row = 0; row < features.length; row += 1) {
      sum += (features[row] ?? 0) * (table[row * autoTiers.length + column] ?? 0)
    }
    return { tier, sum }
  })
  const [first, second] = scores.toSorted((one, other) => other.sum - one.sum)
  if (first === undefined || second === undefined) return certain('standard')
  const total = scores.reduce((all, { sum }) => all + Math.exp(sum - first.sum), 0)
  // Fourteen equally likely tiers would have 0.07 each: no feature distinguishes them.
  const isLost = 1 / total < evidenceMin && first.tier !== 'standard'
  if (isLost) return { tier: 'standard', confidence: 1 / total, runnerUp: first.tier, runnerUpConfidence: 1 / total }
  return {
    tier: first.tier,
    confidence: 1 / total,
    runnerUp: second.tier,
    runnerUpConfidence: Math.exp(second.sum - first.sum) / total,
  }
}

// A request with media needs a model that can read it.
function tiersFor(request: AutoRequest): readonly AutoTier[] {
  if (request.hasVideo) return ['video', 'vision']
  return request.hasImage ? ['vision', 'image', 'video'] : autoTiers
}

function certain(tier: AutoTier): Score {
  return { tier, confidence: 1, runnerUp: tier === 'image' ? 'vision' : 'complex', runnerUpConfidence: 0 }
}

import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { featureNames, featuresOf } from '#domain/routing/auto/features.ts'
// Not an expectation: weights are fitted in the scorer's order.
import { autoTiers } from '#domain/routing/auto/tiers.ts'
import { readCorpus, type Sample } from './read-corpus.ts'

/**
 * `node server/test/auto/fit-weights.ts [--write]`: fits the scorer's weights to the tuning part of the corpus.
 * Cross-validation within that part makes the choices, so the held-out third stays independent.
 */
const penalties = [0.001, 0.002, 0.004, 0.008]
const folds = 6
const { tuning } = readCorpus()

const judged = penalties.map((penalty) => ({ penalty, missed: crossValidate(tuning, penalty) }))
for (const { penalty, missed } of judged) {
  console.log(`penalty ${penalty}: ${(100 - (100 * missed.length) / tuning.length).toFixed(1)} % by cross-validation`)
}
const [best] = judged.toSorted((one, other) => one.missed.length - other.missed.length)
if (best === undefined) throw new Error('no penalty was tried')
for (const { sample, given } of best.missed) {
  console.log(`${sample.tier} taken for ${given}: ${sample.language} ${sample.request.text.slice(0, 100)}`)
}
if (process.argv.includes('--write')) write(fit(tuning, best.penalty))

interface Missed {
  sample: Sample
  given: string
}

/** The misses of fits without the samples, over all folds. */
function crossValidate(samples: readonly Sample[], penalty: number): Missed[] {
  const missed: Missed[] = []
  for (let fold = 0; fold < folds; fold += 1) {
    const weights = fit(
      samples.filter((_, index) => index % folds !== fold),
      penalty,
    )
    for (const sample of samples.filter((_, index) => index % folds === fold)) {
      const scores = scoresOf(featuresOf(sample.request), weights)
      const among = allowed(sample)
      const given = among.toSorted((one, other) => at(scores, other) - at(scores, one))[0] ?? ''
      if (given !== sample.tier) missed.push({ sample, given })
    }
  }
  return missed
}

function allowed({ request }: Sample): string[] {
  if (request.hasVideo) return ['video', 'vision']
  return request.hasImage ? ['vision', 'image', 'video'] : [...autoTiers]
}

function at(scores: Float64Array, tier: string): number {
  return scores[autoTiers.findIndex((name) => name === tier)] ?? 0
}

function scoresOf(features: Float64Array, weights: Float64Array): Float64Array {
  const scores = new Float64Array(autoTiers.length)
  for (let row = 0; row < features.length; row += 1) {
    const value = features[row] ?? 0
    if (value === 0) continue
    for (let tier = 0; tier < scores.length; tier += 1) {
      scores[tier] = (scores[tier] ?? 0) + value * (weights[row * scores.length + tier] ?? 0)
    }
  }
  return scores
}

/** Multinomial logistic regression by gradient descent with momentum; the penalty keeps weights small. */
function fit(samples: readonly Sample[], penalty: number): Float64Array {
  const size = featureNames.length * autoTiers.length
  const weights = new Float64Array(size)
  const speed = new Float64Array(size)
  const rows = samples.map(({ tier, request }) => ({ tier: autoTiers.indexOf(tier), features: featuresOf(request) }))
  for (let round = 0; round < 800; round += 1) {
    const gradient = new Float64Array(size)
    for (const { tier, features } of rows) addGradient(gradient, features, tier, weights)
    for (let index = 0; index < size; index += 1) {
      const slope = (gradient[index] ?? 0) / rows.length + penalty * (weights[index] ?? 0)
      speed[index] = 0.9 * (speed[index] ?? 0) - 0.15 * slope
      weights[index] = (weights[index] ?? 0) + (speed[index] ?? 0)
    }
  }
  return weights
}

function addGradient(gradient: Float64Array, features: Float64Array, tier: number, weights: Float64Array): void {
  const scores = scoresOf(features, weights)
  const highest = Math.max(...scores)
  const odds = scores.map((score) => Math.exp(score - highest))
  const total = odds.reduce((sum, odd) => sum + odd, 0)
  for (let row = 0; row < features.length; row += 1) {
    const value = features[row] ?? 0
    if (value === 0) continue
    for (let column = 0; column < odds.length; column += 1) {
      const index = row * odds.length + column
      const error = (odds[column] ?? 0) / total - (column === tier ? 1 : 0)
      gradient[index] = (gradient[index] ?? 0) + value * error
    }
  }
}

function write(weights: Float64Array): void {
  const path = fileURLToPath(new URL('../../src/domain/routing/auto/weights.ts', import.meta.url))
  const lines = featureNames.map((name, row) => {
    const numbers = autoTiers.map((_, column) => Number((weights[row * autoTiers.length + column] ?? 0).toFixed(2)) + 0)
    return `  ${name}: [${numbers.join(', ')}],`
  })
  const text = `import type { FeatureName } from './features.ts'

/** What each feature says for each tier, in the order of the tiers. Written by \`server/test/auto/fit-weights.ts\`. */
export const weights: Readonly<Record<FeatureName, readonly number[]>> = {
${lines.join('\n')}
}
`
  writeFileSync(path, text)
  execFileSync('biome', ['format', '--write', path], { stdio: 'ignore' })
}

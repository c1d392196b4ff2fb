import { promoteScore } from '#domain/routing/auto/promote-score.ts'
import { scoreRequest } from '#domain/routing/auto/score-request.ts'
// Not an expectation: the rows and columns of the output.
import { autoTiers } from '#domain/routing/auto/tiers.ts'
import { readCorpus, requestFor, type Sample } from './read-corpus.ts'

/**
 * `npm run auto-eval`: measures how often the scorer agrees with the corpus, and its duration. Fails when the accuracy
 * of the held-out part is too low, or when scoring takes many times as long as reading each letter of the text on the
 * same machine.
 */
const accuracyMin = 0.85
/** Four runs on a busy machine gave 10 to 18. */
const readingsMax = 60

const { tuning, heldOut } = readCorpus()
console.log(`tuning    ${describe(tuning)}`)
console.log(`held out  ${describe(heldOut)}`)
console.log(`\nThe held-out part: a row for each true tier, a column for each given one\n${confusion(heldOut)}`)
const { text, request } = longRequest()
const [scoringUs = 0, readingUs = 1] = measureUs(
  () => scoreRequest(request).confidence,
  () => readingOf(text),
)
const readings = scoringUs / readingUs
console.log(
  `\nScoring 2 KB takes ${scoringUs.toFixed(0)} µs, as long as ${readings.toFixed(0)} readings of ${readingUs.toFixed(1)} µs`,
)
const isAccurate = accuracyOf(heldOut) >= accuracyMin
const isFast = readings <= readingsMax
if (!isAccurate) console.log(`Below ${accuracyMin * 100} % on the held-out part.`)
if (!isFast) console.log('Too slow.')
process.exitCode = isAccurate && isFast ? 0 : 1

function longRequest() {
  const english = tuning.filter(({ language }) => language === 'en').map(({ request: { text: said } }) => said)
  const said = english.join(' ').slice(0, 2_048)
  return { text: said, request: requestFor(said) }
}

/** The yardstick reads each letter once. */
function readingOf(read: string): number {
  let sum = 0
  for (let at = 0; at < read.length; at += 1) sum = (sum * 31 + read.charCodeAt(at)) | 0
  return sum
}

/** The fastest of many alternating rounds: other load on the machine can only add time. */
function measureUs(...works: readonly (() => number)[]): number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY)
  for (let round = 0; round < 300; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedMs = performance.now()
      for (let call = 0; call < 10; call += 1) work()
      best[index] = Math.min(best[index] ?? 0, (performance.now() - startedMs) * 100)
    }
  }
  return best
}

function describe(samples: readonly Sample[]): string {
  const promoted = samples.filter(({ request }) => {
    const score = scoreRequest(request)
    return promoteScore(score) !== score.tier
  })
  const accuracy = (accuracyOf(samples) * 100).toFixed(1)
  return `${samples.length} prompts, ${accuracy} % right, ${promoted.length} promoted`
}

function accuracyOf(samples: readonly Sample[]): number {
  return samples.filter(({ tier, request }) => scoreRequest(request).tier === tier).length / samples.length
}

function confusion(samples: readonly Sample[]): string {
  const header = ['', ...autoTiers.map((tier) => tier.slice(0, 4))]
  const rows = autoTiers.map((tier) => {
    const given = samples.filter((sample) => sample.tier === tier).map(({ request }) => scoreRequest(request).tier)
    const counts = autoTiers.map((other) => given.filter((name) => name === other).length)
    return [tier, ...counts.map((count) => (count === 0 ? '.' : String(count)))]
  })
  return [header, ...rows]
    .map(([name = '', ...cells]) => name.padEnd(10) + cells.map((cell) => cell.padStart(5)).join(''))
    .join('\n')
}

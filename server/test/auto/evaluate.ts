import { promoteScore } from '#domain/routing/auto/promote-score.ts'
import { scoreRequest } from '#domain/routing/auto/score-request.ts'
// Not an expectation: rows and columns of what is printed.
import { autoTiers } from '#domain/routing/auto/tiers.ts'
import { readCorpus, requestFor, type Sample } from './read-corpus.ts'

/**
 * `npm run auto-eval`: how often the scorer agrees with the corpus, and how long it takes. Fails when the held-out part falls
 * below the mark, or when scoring has become several times slower than it should be.
 */
const accuracyMin = 0.85
const scoreMaxUs = 200
// A machine that does other things meanwhile may take longer.
const margin = 3

const { tuning, heldOut } = readCorpus()
console.log(`tuning    ${describe(tuning)}`)
console.log(`held out  ${describe(heldOut)}`)
console.log(`\nThe held-out part: a row for each true tier, a column for each given one\n${confusion(heldOut)}`)
const tookUs = measureUs()
console.log(`\nScoring 2 KB takes ${tookUs.toFixed(0)} µs; it may take ${scoreMaxUs}`)
const isAccurate = accuracyOf(heldOut) >= accuracyMin
const isFast = tookUs <= scoreMaxUs * margin
if (!isAccurate) console.log(`Below ${accuracyMin * 100} % on the held-out part.`)
if (!isFast) console.log('Too slow.')
process.exitCode = isAccurate && isFast ? 0 : 1

/** The best of many rounds: whatever else the machine does can only add. */
function measureUs(): number {
  const english = tuning.filter(({ language }) => language === 'en').map(({ request }) => request.text)
  const request = requestFor(english.join(' ').slice(0, 2_048))
  let bestUs = Number.POSITIVE_INFINITY
  for (let round = 0; round < 300; round += 1) {
    const startedMs = performance.now()
    for (let call = 0; call < 10; call += 1) scoreRequest(request)
    bestUs = Math.min(bestUs, (performance.now() - startedMs) * 100)
  }
  return bestUs
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

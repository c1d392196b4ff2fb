import { parseArgs } from 'node:util'
import { isTemplateName } from '#domain/filters/parse-filter-matcher.ts'
// Not an expectation: every template is measured against its own samples.
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import { readCorpus, type Sample } from './read-corpus.ts'
import { addScores, findIn, precisionOf, recallOf, type Score, scoreSample } from './score.ts'

/**
 * `npm run filter-eval` prints precision and recall of every template over the corpus next to this file, for the tuned
 * and the held-out samples. It fails when a template of sensitive data is below 0.95 in either.
 *
 * `-- --show tuned|held-out` lists missed and wrong matches. `-- --only <template>` measures one template.
 */
const { values } = parseArgs({ options: { show: { type: 'string' }, only: { type: 'string' } } })

const scoreMin = 0.95
const templates = Object.keys(filterTemplates)
  .filter(isTemplateName)
  .filter((template) => values.only === undefined || values.only === template)
const rows = templates.map((template) => {
  const samples = readCorpus(template)
  const tuned = samples.filter(({ isHeldOut }) => !isHeldOut)
  const heldOut = samples.filter(({ isHeldOut }) => isHeldOut)
  return { template, samples, tuned: scoreAll(tuned), heldOut: scoreAll(heldOut), all: scoreAll(samples) }
})

console.log(`${'template'.padEnd(24)}  samples     tuned on      held out           all`)
console.log(`${''.padEnd(24)}        +    -    prec   rec    prec   rec    prec   rec`)
for (const { template, samples, tuned, heldOut, all } of rows) printRow(template, samples, [tuned, heldOut, all])
const sensitive = rows.filter(({ template }) => filterTemplates[template].kind === 'sensitive')
printRow(
  'sensitive data',
  sensitive.flatMap(({ samples }) => samples),
  sumOf(sensitive),
)
printRow(
  'everything',
  rows.flatMap(({ samples }) => samples),
  sumOf(rows),
)

if (values.show !== undefined) {
  const isHeldOut = values.show === 'held-out'
  for (const sample of rows.flatMap(({ samples }) => samples)) if (sample.isHeldOut === isHeldOut) show(sample)
}

const failed = sensitive.filter(({ all }) => precisionOf(all) < scoreMin || recallOf(all) < scoreMin)
for (const { template } of failed) console.log(`${template} is below ${scoreMin}`)
process.exitCode = failed.length === 0 ? 0 : 1

function scoreAll(samples: readonly Sample[]): Score {
  return addScores(samples.map(scoreSample))
}

function sumOf(some: readonly { tuned: Score; heldOut: Score; all: Score }[]): Score[] {
  return [some.map(({ tuned }) => tuned), some.map(({ heldOut }) => heldOut), some.map(({ all }) => all)].map(addScores)
}

function printRow(name: string, samples: readonly Sample[], scores: readonly Score[]): void {
  const positive = samples.filter(({ expected }) => expected.length > 0).length
  const counts = `${String(positive).padStart(5)}${String(samples.length - positive).padStart(5)}`
  const figures = scores.map((score) => `  ${precisionOf(score).toFixed(3)} ${recallOf(score).toFixed(3)}`)
  console.log(`${name.padEnd(24)}  ${counts} ${figures.join('  ')}`)
}

function show(sample: Sample): void {
  const { missed, wrong } = scoreSample(sample)
  if (missed + wrong === 0) return
  const found = findIn(sample.template, sample.text).map(({ start, end }) => sample.text.slice(start, end))
  const wanted = sample.expected.map(({ start, end }) => sample.text.slice(start, end))
  console.log(`\n${sample.template}:${sample.line} ${JSON.stringify(sample.text.slice(0, 300))}`)
  console.log(`  found ${JSON.stringify(found)}, wanted ${JSON.stringify(wanted)}`)
}

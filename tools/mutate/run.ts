import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { findChangedFiles } from '../lib/changed-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { isSource } from '../lib/source-file.ts'
import { readAllReferences } from '../test/read-all-references.ts'
import { type Area, areas } from './areas.ts'
import { replayCorpus } from './corpus/replay-corpus.ts'
import { floorsOf, judgeFloors, parseFloors, renderFloors } from './floors.ts'
import { countKills, replaceKills } from './kills.ts'
import { type AreaOutcomes, mutateArea } from './mutate-area.ts'
import { plantEndpoints } from './planted/endpoints/plant-endpoints.ts'
import { plantSql } from './planted/sql/plant-sql.ts'
import { listSurvivors, reportAreas } from './report.ts'
import { parseVerdicts } from './verdict.ts'

/**
 * `npm run mutate [-- --area NAME…] [-- --only PART] [-- --rules] [-- --changed [REF]] [-- --corpus] [-- --record]`: changes the code
 * in thousands of small ways and tells which changes no test notices. What no switch can reach, endpoints and SQL functions, is
 * changed in a copy of the tree: those are the areas `endpoints` and `sql`.
 *
 * `--only` keeps to paths with that part, `--rules` to tests that need no engine, `--changed` to both that and the first files that changed.
 * `--corpus` plants faults that once passed every test. `--record` writes down, after each area, the floors of files, the kills
 * of clauses, and what lives on.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string', multiple: true },
    changed: { type: 'boolean', default: false },
    corpus: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
})

/** As many changed files as take minutes. The others are left to a whole run. */
const changedMax = 8
const folder = join(repositoryRoot, '.weir')
const say = (line: string) => console.log(line)
const planted = { endpoints: plantEndpoints, sql: plantSql }
mkdirSync(folder, { recursive: true })
// Whatever was started and copied goes with us.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exitCode = (await run()) ? 0 : 1

async function run(): Promise<boolean> {
  if (values.corpus) return replayCorpus()
  if (values.changed) return mutateChanged(positionals[0])
  const names = [...areas.map(({ name }) => name), ...Object.keys(planted)]
  const unknown = values.area?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no area is called ${unknown}; there are ${names.join(', ')}`)
  const isChosen = (name: string) => values.area === undefined || values.area.includes(name)
  const isNoticed = [await mutateAreas(areas.filter(({ name }) => isChosen(name)))]
  for (const [name, plant] of Object.entries(planted)) if (isChosen(name)) isNoticed.push(await plant())
  return isNoticed.every(Boolean)
}

async function mutateAreas(chosen: readonly Area[]): Promise<boolean> {
  const verdicts = parseVerdicts(readTable('verdicts.tsv'))
  const results: AreaOutcomes[] = []
  for (const area of chosen) {
    const result = await mutate(area, { hasCalls: !values.rules, isMutated: (path) => path.includes(values.only) })
    results.push(result)
    // Area by area, so that a run that is broken off leaves what it found.
    const survivors = join(values.record ? 'tools/mutate/survivors' : '.weir', `${area.name}.tsv`)
    writeFileSync(join(repositoryRoot, survivors), `${listSurvivors(result.byAll, verdicts).join('\n')}\n`)
    say(`${area.name}: every mutant that lives on, with its verdict: ${survivors}`)
    if (values.record) record(result)
  }
  const { lines, missed } = reportAreas(results, verdicts)
  if (results.length > 0) for (const line of lines) say(line)
  for (const { name } of missed) say(`${name} is below its goal`)
  return missed.length === 0
}

async function mutateChanged(reference: string | undefined): Promise<boolean> {
  const { paths, span } = findChangedFiles(repositoryRoot, reference)
  const sources = paths.filter((path) => isSource(path) && areas.some((area) => inArea(path, area)))
  const chosen = sources.slice(0, changedMax)
  say(`${paths.length} files changed (${span}), ${sources.length} of them in areas; ${chosen.length} are mutated`)
  const results: AreaOutcomes[] = []
  for (const area of areas.filter((each) => chosen.some((path) => inArea(path, each)))) {
    results.push(await mutate(area, { hasCalls: false, isMutated: (path) => chosen.includes(path) }))
  }
  const floors = parseFloors(readTable('floors.tsv'))
  const faults = results.flatMap(({ area, byRules }) => judgeFloors(byRules, floors, area.goal))
  for (const fault of faults) say(fault)
  const mutants = results.flatMap(({ byRules }) => byRules)
  say(`${mutants.filter(({ fate }) => fate === 'noticed').length} of ${mutants.length} mutants noticed`)
  return faults.length === 0
}

function inArea(path: string, { sources }: Area): boolean {
  return sources.some((start) => path.startsWith(start))
}

function mutate(area: Area, options: { hasCalls: boolean; isMutated(path: string): boolean }): Promise<AreaOutcomes> {
  const references = readAllReferences(repositoryRoot)
  return mutateArea(area, { ...options, references, workers: Number(values.workers), say })
}

function record({ area, byRules, byAll }: AreaOutcomes): void {
  const floors = new Map([...parseFloors(readTable('floors.tsv')), ...floorsOf(byRules)])
  writeFileSync(join(import.meta.dirname, 'floors.tsv'), renderFloors(floors))
  const kills = join(repositoryRoot, 'docs/contract/kills.tsv')
  writeFileSync(kills, replaceKills(readFileSync(kills, 'utf8'), area.name, countKills(byAll)))
}

function readTable(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

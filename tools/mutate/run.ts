import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { parseClauses } from '../contract/clauses.ts'
import { needsKill } from '../contract/needs-kill.ts'
import { parseKills } from '../contract/parse-kills.ts'
import { findChangedFiles } from '../lib/changed-files.ts'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { readAllReferences } from '../test/read-all-references.ts'
import { type Area, type AreaSource, areas, sourcesOf } from './areas.ts'
import { replayCorpus } from './corpus/replay-corpus.ts'
import { type Floors, floorsOf, judgeFloors, parseFloors, renderFloors } from './floors.ts'
import type { Mutant } from './instrument.ts'
import { addKills, countKills, replaceKills } from './kills.ts'
import { type AreaOutcomes, mutateArea } from './mutate-area.ts'
import { mutateClauses } from './mutate-clauses.ts'
import { plantEndpoints } from './planted/endpoints/plant-endpoints.ts'
import { plantSql } from './planted/sql/plant-sql.ts'
import { listSurvivors, replaceSurvivors, reportAreas } from './report.ts'
import { reportStatus } from './report-status.ts'
import { findIdleVerdicts, parseVerdicts, type Verdict } from './verdict.ts'

/**
 * `npm run mutate [-- --area NAME…] [-- --only PART…] [-- --rules] [-- --changed [REF]] [-- --corpus] [-- --record] [--
 * --clauses] [-- --status]`: makes thousands of small changes to the code and reports the changes that no test catches.
 * Endpoints and SQL functions cannot be switched, so they are changed in a copy of the tree: those are the areas
 * `endpoints` and `sql`.
 *
 * `--only` limits the run to paths that contain one of these parts, `--rules` to tests that need no engine, `--changed`
 * to both that and the first changed files. `--corpus` plants faults that once passed every test. `--record` saves the
 * floors of files, the kills of clauses and the survivors after each area. `--clauses` looks for a mutant behind each
 * clause that needs one. `--status` mutates nothing: it lists which files were measured and which are below their goal.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string', multiple: true },
    changed: { type: 'boolean', default: false },
    clauses: { type: 'boolean', default: false },
    corpus: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true },
    record: { type: 'boolean', default: false },
    rules: { type: 'boolean', default: false },
    status: { type: 'boolean', default: false },
    workers: { type: 'string', default: '2' },
  },
})

/** Mutating this many changed files takes minutes. The others are left to a whole run. */
const changedMax = 8
const folder = join(repositoryRoot, '.weir')
const say = (line: string) => console.log(line)
const planted = { endpoints: plantEndpoints, sql: plantSql }
mkdirSync(folder, { recursive: true })
// Stops the processes and deletes the copies that the run created.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
process.exitCode = (await run()) ? 0 : 1

async function run(): Promise<boolean> {
  if (values.corpus) return replayCorpus()
  if (values.status) return tellStatus()
  if (values.clauses) return killForClauses()
  if (values.changed) return mutateChanged(positionals[0])
  const names = [...areas.map(({ name }) => name), ...Object.keys(planted)]
  const unknown = values.area?.find((name) => !names.includes(name))
  if (unknown !== undefined) throw new Error(`no area is called ${unknown}; there are ${names.join(', ')}`)
  const isChosen = (name: string) => values.area === undefined || values.area.includes(name)
  const isNoticed = [await mutateAreas(areas.filter(({ name }) => isChosen(name)))]
  // `--only` selects files that a switch can reach, so it excludes these areas.
  if (values.only !== undefined) return isNoticed.every(Boolean)
  for (const [name, plant] of Object.entries(planted)) if (isChosen(name)) isNoticed.push(await plant())
  return isNoticed.every(Boolean)
}

async function mutateAreas(named: readonly Area[]): Promise<boolean> {
  const verdicts = parseVerdicts(readTable('verdicts.tsv'))
  const sources = findSources()
  const chosen = named.filter((area) => sources.some((source) => source.area === area && isNamed(source.path)))
  const results: AreaOutcomes[] = []
  for (const area of chosen) {
    const result = await mutate(area, { hasCalls: !values.rules, isMutated: isNamed })
    results.push(result)
    // Writes after each area, so that an interrupted run keeps its results.
    const folder = values.record ? 'tools/mutate/survivors' : '.weir'
    const survivors = join(repositoryRoot, folder, `${area.name}.tsv`)
    mkdirSync(dirname(survivors), { recursive: true })
    const paths = new Set(
      sources.filter((source) => source.area === area && isNamed(source.path)).map(({ path }) => path),
    )
    writeFileSync(survivors, replaceSurvivors(readIfThere(survivors), paths, listSurvivors(result.byAll, verdicts)))
    say(`${area.name}: every mutant that lives on, with its verdict: ${folder}/${area.name}.tsv`)
    for (const idle of findIdleVerdicts(verdicts, paths, livingOf(result))) {
      say(`no mutant needs the verdict on ${idle.path}: ${idle.place}: ${idle.original} => ${idle.replacement}`)
    }
    if (values.record) record(result, verdicts)
  }
  const { lines, missed } = reportAreas(results, verdicts)
  if (results.length > 0) for (const line of lines) say(line)
  for (const line of missed) say(line)
  return missed.length === 0
}

async function mutateChanged(reference: string | undefined): Promise<boolean> {
  const { paths, span } = findChangedFiles(repositoryRoot, reference)
  const sources = findSources().filter(({ path }) => paths.includes(path))
  const chosen = sources.slice(0, changedMax)
  say(`${paths.length} files changed (${span}), ${sources.length} of them in areas; ${chosen.length} are mutated`)
  const results: AreaOutcomes[] = []
  for (const area of areas.filter((each) => chosen.some((source) => source.area === each))) {
    const isMutated = (path: string) => chosen.some((source) => source.path === path)
    results.push(await mutate(area, { hasCalls: false, isMutated }))
  }
  const floors = parseFloors(readTable('floors.tsv'))
  const faults = results.flatMap(({ area, byRules }) => judgeFloors(byRules, floors, area.goal))
  for (const fault of faults) say(fault)
  const mutants = results.flatMap(({ byRules }) => byRules)
  say(`${mutants.filter(({ fate }) => fate === 'noticed').length} of ${mutants.length} mutants noticed`)
  return faults.length === 0
}

function mutate(area: Area, options: { hasCalls: boolean; isMutated(path: string): boolean }): Promise<AreaOutcomes> {
  const references = readAllReferences(repositoryRoot)
  return mutateArea(area, { ...options, references, workers: Number(values.workers), say })
}

function record(result: AreaOutcomes, verdicts: readonly Verdict[]): void {
  const seen = floorsOf(result, verdicts)
  writeFloors(new Map([...parseFloors(readTable('floors.tsv')), ...seen]))
  // A partial run would lose the kills of the other files.
  if (values.only !== undefined || values.rules) return
  const kills = join(repositoryRoot, 'docs/contract/kills.tsv')
  writeFileSync(kills, replaceKills(readFileSync(kills, 'utf8'), result.area.name, countKills(result.byAll)))
}

/** Looks for a mutant for each clause that needs one and has none, and saves the results. */
async function killForClauses(): Promise<boolean> {
  const path = join(repositoryRoot, 'docs/contract/kills.tsv')
  const text = readFileSync(path, 'utf8')
  const known = parseKills(text)
  const clauses = parseClauses(readFileSync(join(repositoryRoot, 'docs/contract/clauses.tsv'), 'utf8'))
  const wanted = clauses.filter((clause) => needsKill(clause) && !known.has(clause.id)).map(({ id }) => id)
  if (wanted.length === 0) return true
  const found = await mutateClauses(wanted, { workers: Number(values.workers), say })
  writeFileSync(path, addKills(text, 'clauses', found))
  const left = wanted.filter((id) => !found.has(id))
  say(`${found.size} of ${wanted.length} clauses have a mutant behind them now${left.map((id) => ` ${id}`).join('')}`)
  return left.length === 0
}

function tellStatus(): boolean {
  const floors = parseFloors(readTable('floors.tsv'))
  const { lines, isDone } = reportStatus(findSources(), floors)
  for (const line of lines) say(line)
  return isDone
}

/** All mutated files of the repository. */
function findSources(): readonly AreaSource[] {
  return sourcesOf(listFiles(repositoryRoot).map(({ path }) => path))
}

function isNamed(path: string): boolean {
  return values.only?.some((part) => path.includes(part)) ?? true
}

function livingOf({ byAll }: AreaOutcomes): Mutant[] {
  return byAll.filter(({ fate }) => fate !== 'noticed').map(({ mutant }) => mutant)
}

function writeFloors(floors: Floors): void {
  writeFileSync(join(import.meta.dirname, 'floors.tsv'), renderFloors(floors))
}

function readIfThere(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

function readTable(name: string): string {
  return readFileSync(join(import.meta.dirname, name), 'utf8')
}

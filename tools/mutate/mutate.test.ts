import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { areas } from './areas.ts'
import { floorsOf, judgeFloors, parseFloors, renderFloors } from './floors.ts'
import { instrument } from './instrument.ts'
import { countKills, parseKills, replaceKills } from './kills.ts'
import { outcomesOf } from './outcome.ts'
import { listSurvivors, reportAreas, scoreOf } from './report.ts'
import { deadOf, type Entry, readEntries } from './switch/journal.ts'
import { parseVerdicts } from './verdict.ts'

const mutant = (id: string, path = 'server/src/a.ts') => ({
  id,
  path,
  line: 1,
  kind: 'EqualityOperator',
  original: `a > ${id}`,
  replacement: `a >= ${id}`,
})
const entries: readonly Entry[] = [
  {
    kind: 'test',
    file: 'a.test.ts',
    test: 'a rule [MONEY-01] holds',
    attempts: [
      { id: '0', hasDied: true },
      { id: '1', hasDied: false },
    ],
  },
  { kind: 'file', file: 'a.test.ts', reachedOutside: ['2'] },
  { kind: 'hung', file: 'a.test.ts', id: '3' },
]
const outcomes = outcomesOf(
  ['0', '1', '2', '3', '4'].map((id) => mutant(id)),
  entries,
)

describe('a mutant', () => {
  it('is put behind a switch, and told by its place and its texts', async () => {
    const { files, mutants } = await instrument([
      { path: 'server/src/a.ts', text: 'export const f = (a: number) =>\n  a > 1\n' },
    ])
    expect(files[0]?.text).toContain('stryMutAct')
    expect(mutants).toContainEqual(expect.objectContaining({ line: 2, original: 'a > 1', replacement: 'a >= 1' }))
  })

  it('is noticed when a test turned red or hung, survives when it was reached, and is unreached else', () => {
    expect(outcomes.map(({ fate }) => fate)).toEqual(['noticed', 'survived', 'survived', 'noticed', 'unreached'])
    expect(countKills(outcomes)).toEqual(new Map([['MONEY-01', 1]]))
  })

  it('is counted for the clauses of the tests that noticed it, area by area', () => {
    const first = replaceKills('', 'limits', new Map([['MONEY-01', 2]]))
    const second = replaceKills(
      first,
      'money',
      new Map([
        ['MONEY-01', 3],
        ['KEY-01', 1],
      ]),
    )
    expect(second).toBe('limits\tMONEY-01\t2\nmoney\tKEY-01\t1\nmoney\tMONEY-01\t3\n')
    const third = replaceKills(second, 'money', new Map([['MONEY-01', 4]]))
    expect(parseKills(third)).toEqual(new Map([['MONEY-01', 6]]))
  })

  it('counts in no score when its verdict says that nobody could notice it', () => {
    const verdicts = parseVerdicts('head\nserver/src/a.ts\ta > 1\ta >= 1\tequivalent\ta is never 1\n')
    expect(scoreOf(outcomes, [])).toEqual({ score: 2 / 5, equivalent: 0 })
    expect(scoreOf(outcomes, verdicts)).toEqual({ score: 2 / 4, equivalent: 1 })
    expect(listSurvivors(outcomes, verdicts)).toEqual([
      'server/src/a.ts\ta > 1\ta >= 1\tequivalent\ta is never 1',
      'server/src/a.ts\ta > 2\ta >= 2\tto do\tsurvived, line 1',
      'server/src/a.ts\ta > 4\ta >= 4\tto do\tunreached, line 1',
    ])
  })
})

describe('verdicts', () => {
  it.each(['server/src/a.ts\ta\tb\tfine\tbecause', 'server/src/a.ts\ta\tb\taccepted\t'])('refuse %j', (line) => {
    expect(() => parseVerdicts(`head\n${line}\n`)).toThrow(/^line 2 /)
  })
})

describe('the report', () => {
  it('names the areas below their goal', () => {
    const [first, second] = areas
    if (first === undefined || second === undefined) throw new Error('there are areas')
    const results = [
      { area: { ...first, goal: 0.4 }, byRules: outcomes, byAll: outcomes },
      { area: { ...second, goal: 0.41 }, byRules: outcomes, byAll: outcomes },
    ]
    expect(reportAreas(results, []).missed.map(({ name }) => name)).toEqual([second.name])
  })
})

describe('floors of files', () => {
  it('are read as they were written, three points below what was seen', () => {
    const floors = floorsOf(outcomes)
    expect(parseFloors(renderFloors(floors))).toEqual(new Map([['server/src/a.ts', 37]]))
    expect(judgeFloors(outcomes, floors, 0.9)).toEqual([])
  })

  it('are what a changed file must keep, and a new one must reach the goal of its area', () => {
    expect(judgeFloors(outcomes, new Map([['server/src/a.ts', 41]]), 0.1)).toHaveLength(1)
    expect(judgeFloors(outcomes, new Map(), 0.41)).toEqual([
      'server/src/a.ts: its tests notice 40.0 % of its mutants, and 41 % are wanted',
    ])
  })
})

describe('journals', () => {
  it('are read without a line that was cut off when its process died', () => {
    const folder = mkdtempSync(join(tmpdir(), 'weir-journal-'))
    writeFileSync(join(folder, '1.jsonl'), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    writeFileSync(join(folder, '2.jsonl'), `${JSON.stringify(entries[2])}\n{"kind":"te`)
    expect(readEntries(folder)).toHaveLength(4)
    expect(deadOf(readEntries(folder))).toEqual(new Set(['0', '3']))
    rmSync(folder, { recursive: true })
  })
})

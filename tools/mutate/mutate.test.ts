import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseKills } from '../contract/parse-kills.ts'
import { areas } from './areas.ts'
import { type Floor, type Floors, floorsOf, judgeFloors, parseFloors, renderFloors } from './floors.ts'
import { instrument } from './instrument.ts'
import { addKills, countKills, replaceKills } from './kills.ts'
import { outcomesOf } from './outcome.ts'
import { listSurvivors, replaceSurvivors, reportAreas, scoreOf } from './report.ts'
import { reportStatus } from './report-status.ts'
import { deadOf, type Entry, readEntries } from './switch/journal.ts'
import { findIdleVerdicts, findVerdict, parseVerdicts } from './verdict.ts'

const mutant = (id: string, path = 'server/src/a.ts') => ({
  id,
  path,
  line: 1,
  place: `return a > ${id}`,
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
    const found = new Map([
      ['KEY-01', 1],
      ['KEY-02', 2],
    ])
    expect(addKills('clauses\tKEY-01\t5\nmoney\tKEY-02\t9\n', 'clauses', found)).toBe(
      'clauses\tKEY-01\t5\nclauses\tKEY-02\t2\nmoney\tKEY-02\t9\n',
    )
  })

  it('counts in no score when its verdict says that nobody could notice it', () => {
    const verdicts = parseVerdicts('head\nserver/src/a.ts\treturn a > 1\ta > 1\ta >= 1\tequivalent\ta is never 1\n')
    expect(scoreOf(outcomes, [])).toEqual({ score: 2 / 5, equivalent: 0 })
    expect(scoreOf(outcomes, verdicts)).toEqual({ score: 2 / 4, equivalent: 1 })
    expect(listSurvivors(outcomes, verdicts)).toEqual([
      'server/src/a.ts\treturn a > 1\ta > 1\ta >= 1\tequivalent\ta is never 1',
      'server/src/a.ts\treturn a > 2\ta > 2\ta >= 2\tto do\tsurvived, line 1',
      'server/src/a.ts\treturn a > 4\ta > 4\ta >= 4\tto do\tunreached, line 1',
    ])
  })
})

const equivalentAt = (place: string) => `server/src/a.ts\t${place}\tb > 1\tb >= 1\tequivalent\tb is never 1\n`

describe('verdicts', () => {
  const row = 'server/src/a.ts\treturn a\ta\tb'
  it.each([`${row}\tfine\tbecause`, `${row}\taccepted\t`])('refuse %j', (line) => {
    expect(() => parseVerdicts(`head\n${line}\n`)).toThrow(/^line 2 /)
  })

  it('judge one mutant each, by its line, and are idle once it is noticed', async () => {
    const text =
      'export const f = (a: number, b: number) => {\n  if (a > 1) return 1\n  if (b > 1) return 1\n  if (b > 1) return 1\n  return 2\n}\n'
    const { mutants } = await instrument([{ path: 'server/src/a.ts', text }])
    const verdicts = parseVerdicts(`head\n${equivalentAt('if (b > 1) return 1 #2')}`)
    const judged = mutants.filter((one) => findVerdict(verdicts, one) !== undefined)
    expect(judged.map(({ line, replacement }) => [line, replacement])).toEqual([[4, 'b >= 1']])
    const paths = new Set(['server/src/a.ts'])
    expect(findIdleVerdicts(verdicts, paths, mutants)).toEqual([])
    expect(
      findIdleVerdicts(
        verdicts,
        paths,
        mutants.filter((one) => !judged.includes(one)),
      ),
    ).toEqual(verdicts)
    expect(findIdleVerdicts(verdicts, new Set(['server/src/b.ts']), [])).toEqual([])
    expect(() => parseVerdicts(`head\n${equivalentAt('x')}${equivalentAt('x')}`)).toThrow(
      'line 3 judges a mutant again',
    )
  })
})

describe('the report', () => {
  it('names the files below the goal of their area', () => {
    const [first, second] = areas
    if (first === undefined || second === undefined) throw new Error('there are areas')
    const results = [
      { area: { ...first, goal: 0.4 }, byRules: outcomes, byAll: outcomes },
      { area: { ...second, goal: 0.41 }, byRules: outcomes, byAll: outcomes },
    ]
    expect(reportAreas(results, []).missed).toEqual(['server/src/a.ts: 2 of 5 noticed, 40.0 %, and 41.0 % are wanted'])
  })
})

describe('floors of files', () => {
  it('are read as they were written, three points below what was seen', () => {
    const floors = floorsOf({ byRules: outcomes, byAll: outcomes }, [])
    expect(floors).toEqual(new Map([['server/src/a.ts', { rules: 37, all: 40 }]]))
    const all: Floors = new Map<string, Floor | 'unmeasured' | 'no mutants'>([
      ...floors,
      ['server/src/b.ts', 'unmeasured'],
      ['server/src/c.ts', 'no mutants'],
      ['server/src/d.ts', { rules: 90, all: undefined }],
    ])
    expect(parseFloors(renderFloors(all))).toEqual(all)
    expect(judgeFloors(outcomes, floors, 0.9)).toEqual([])
  })

  it('are what a changed file must keep, and a new one must reach the goal of its area', () => {
    expect(judgeFloors(outcomes, new Map([['server/src/a.ts', { rules: 41, all: 90 }]]), 0.1)).toHaveLength(1)
    expect(judgeFloors(outcomes, new Map(), 0.41)).toEqual([
      'server/src/a.ts: its tests notice 40.0 % of its mutants, and 41 % are wanted',
    ])
  })
})

describe('areas', () => {
  it('want at least 85 percent of each file, and 95 of money, limits and access', () => {
    const strict = new Set(['money', 'limits', 'access'])
    for (const { name, goal } of areas) expect([name, goal]).toEqual([name, strict.has(name) ? 0.95 : 0.85])
  })

  it('tell which files reach their goal, which do not, and which nobody measured', () => {
    const [area] = areas
    if (area === undefined) throw new Error('there are areas')
    const files = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ path: name, area }))
    const floors = parseFloors('a\t90\t95\nb\t97\t94.9\nc\t97\t\nd\tno mutants\n')
    const { lines, isDone } = reportStatus(files, floors)
    expect(lines.slice(0, 3)).toEqual([
      'b: 94.9 %, and 95 % are wanted',
      'c: unmeasured but for rules, 97 % or more',
      'e: unmeasured',
    ])
    expect(lines.at(-1)).toMatch(/^money +5 +1 +1 +2 +1 +95 %$/)
    expect(isDone).toBe(false)
    expect(reportStatus(files.slice(0, 1), floors).isDone).toBe(true)
  })
})

describe('survivors', () => {
  it('of files that were mutated again are replaced, and those of others stay', () => {
    expect(replaceSurvivors('a.ts\t1\nb.ts\t2\n', new Set(['a.ts']), ['a.ts\t3'])).toBe('b.ts\t2\na.ts\t3\n')
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

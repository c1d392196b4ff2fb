import { describe, expect, it } from 'vitest'
import { parseVitestResults, type TestResult } from '../lib/vitest-results.ts'
import { citedIds } from '../lib/cited-ids.ts'
import { parseClauses } from './clauses.ts'
import { findBlackBoxTests } from './black-box.ts'
import { judgeCoverage } from './judge-coverage.ts'
import { judgeRun } from './judge-run.ts'
import { reportAll, reportArea } from './report.ts'

const clauses = parseClauses('id\tarea\tclause\nAA-01\tone\tFirst.\nAA-02\tone\tSecond.\nBB-01\ttwo\tThird.\n')
const path = 'a.test.ts'
const passing = (title: string): TestResult => ({ path, title, status: 'passed' })
const failing = (title: string): TestResult => ({ path, title, status: 'failed' })
const notRun = (title: string): TestResult => ({ path, title, status: 'notRun' })
const judge = (tests: TestResult[]) => judgeCoverage(clauses, tests, () => false)
const verdictsOf = (tests: TestResult[]) => judge(tests).map(({ verdict }) => verdict)
const ofOne = (tests: TestResult[]) => judgeCoverage(clauses.slice(0, 2), tests, () => true)

describe('citations', () => {
  it('reads several ids from a bracket and leaves other brackets alone', () => {
    expect(citedIds('group [AA-01] [AA-02, BB-01] holds for list[0], [P7] and [DONE]')).toEqual([
      'AA-01',
      'AA-02',
      'BB-01',
    ])
    expect(citedIds('AA-01 without a bracket')).toEqual([])
  })
})

describe('the clause list', () => {
  it.each([
    ['a missing heading', 'AA-01\tone\tFirst.'],
    ['a missing text', 'id\tarea\tclause\nAA-01\tone'],
    ['a repeated id', 'id\tarea\tclause\nAA-01\tone\tFirst.\nAA-01\tone\tAgain.'],
  ])('refuses %s', (_, text) => {
    expect(() => parseClauses(text)).toThrow()
  })
})

describe('coverage', () => {
  it('needs a passing test and no failing one', () => {
    expect(verdictsOf([passing('[AA-01] a'), passing('[AA-02] b'), failing('[AA-02] c')])).toEqual([
      'covered',
      'failing',
      'uncovered',
    ])
  })

  it('is spoilt by a test that did not run', () => {
    expect(verdictsOf([passing('[AA-01] a'), notRun('[AA-01] b')])[0]).toBe('failing')
  })

  it('tells what calls of a gateway prove from what only its parts do', () => {
    const outside = { path: 'b.test.ts', title: '[AA-02] b', status: 'passed' } as const
    const verdicts = judgeCoverage(clauses, [passing('[AA-01] a'), outside], (from) => from === 'b.test.ts')
    expect(verdicts.map(({ isFromOutside }) => isFromOutside)).toEqual([false, true, false])
  })

  it('finds the tests that start a gateway through their helpers', () => {
    const files = [
      { path: 'server/package.json', text: '{"imports":{"#test/*":"./test/*"}}' },
      { path: 'server/test/a/world.ts', text: "import { startTestGateway } from '#test/setup/gateway.ts'" },
      { path: 'server/test/a/one.test.ts', text: "import { startWorld } from './world.ts'" },
      { path: 'server/test/a/two.test.ts', text: "import type { TestGateway } from '#test/setup/gateway.ts'" },
      { path: 'server/test/a/three.test.ts', text: "import { it } from 'vitest'" },
    ]
    expect([...findBlackBoxTests(files)]).toEqual(['server/test/a/one.test.ts'])
  })
})

describe('a run', () => {
  const good = { tests: [passing('[AA-01, AA-02, BB-01] [UTF-8] a')], brokenFiles: [] }

  it('proves nothing with a broken file, a test that did not run, an id nobody wrote or too many of them', () => {
    expect(judgeRun(clauses, good)).toEqual([])
    expect(judgeRun(clauses, { ...good, brokenFiles: [{ path: 'c.test.ts', message: 'no such file' }] })).toHaveLength(
      1,
    )
    expect(judgeRun(clauses, { ...good, tests: [notRun('a')] })).toHaveLength(1)
    expect(judgeRun(clauses, { ...good, tests: [passing('[AA-99] a')] })).toEqual([
      'unknown   AA-99 is cited but is no clause',
    ])
    const many = Array.from({ length: 6 }, (_, at) => ({ id: `AA-0${at}`, area: 'one', text: 'x' }))
    const title = `[${many.map(({ id }) => id).join(', ')}] a`
    expect(judgeRun(many, { ...good, tests: [passing(title)] })).toHaveLength(1)
    expect(judgeRun(many, { ...good, tests: [passing(title.replace('AA-05', 'AA-04'))] })).toEqual([])
  })
})

describe('reports', () => {
  it('lists the open clauses of an area and fails', () => {
    expect(reportArea(ofOne([failing('[AA-01] a')]))).toEqual({
      lines: [
        'failing                   0 mutants AA-01      First.',
        'uncovered                 0 mutants AA-02      Second.',
        'covered 0/2',
      ],
      passed: false,
    })
    expect(reportArea(ofOne([passing('[AA-01, AA-02] a')]))).toMatchObject({
      lines: [expect.stringMatching(/^covered +from outside +0 mutants AA-01/), expect.anything(), 'covered 2/2'],
      passed: true,
    })
  })

  it('fails over all areas only for those that are done', () => {
    const verdicts = judge([passing('[AA-01, AA-02] a')])
    expect(reportAll(verdicts, ['one']).passed).toBe(true)
    expect(reportAll(verdicts, ['one', 'two']).passed).toBe(false)
    expect(reportAll(verdicts, ['two']).lines[0]).toMatch(/^uncovered +0 mutants BB-01 +Third\.$/)
    expect(() => reportAll(verdicts, ['three'])).toThrow('three')
  })

  it('tells how many mutants the tests of a clause noticed, for each clause where that is wanted', () => {
    const verdicts = judgeCoverage(clauses, [passing('[AA-01] a')], () => true, new Map([['AA-01', 7]]))
    expect(reportAll(verdicts, []).lines).toContainEqual(expect.stringMatching(/^one +1\/2 +1 +7$/))
    expect(reportAll(verdicts, [], true).lines[0]).toBe('covered   from outside    7 mutants AA-01      First.')
  })

  it.each(['MONEY', 'HOLD', 'USAGE', 'LIMIT', 'FREE', 'BREAKER', 'BUDGET', 'AUTH', 'KEY', 'ALLOW'])(
    'fails where no mutant stands behind a clause of %s, though its tests pass',
    (prefix) => {
      const guarded = parseClauses(`id\tarea\tclause\n${prefix}-01\tone\tFirst.\nCHAT-01\tone\tSecond.\n`)
      const tests = [passing(`[${prefix}-01] a`), passing('[CHAT-01] b')]
      const report = (kills: [string, number][]) =>
        reportAll(
          judgeCoverage(guarded, tests, () => true, new Map(kills)),
          ['one'],
        )
      expect(report([[`${prefix}-01`, 1]]).passed).toBe(true)
      expect(report([]).passed).toBe(false)
      expect(report([]).lines).toContainEqual(expect.stringMatching(`^no mutant stands behind ${prefix}-01`))
      expect(report([]).lines).not.toContainEqual(expect.stringMatching('^no mutant stands behind CHAT'))
    },
  )
})

describe("vitest's results", () => {
  it('keeps titles, what did not run and files that broke', () => {
    const content = {
      testResults: [
        { name: 'a.test.ts', status: 'passed', assertionResults: [{ fullName: 'a', status: 'passed' }] },
        { name: 'b.test.ts', status: 'failed', assertionResults: [{ fullName: 'b', status: 'failed' }] },
        { name: 'c.test.ts', status: 'failed', message: 'no such file', assertionResults: [] },
        { name: 'd.test.ts', status: 'passed', assertionResults: [{ fullName: 'd', status: 'pending' }] },
      ],
    }
    const { tests, brokenFiles } = parseVitestResults(content)
    expect(tests.map(({ title, status }) => `${title} ${status}`)).toEqual(['a passed', 'b failed', 'd notRun'])
    expect(brokenFiles).toMatchObject([{ path: 'c.test.ts', message: 'no such file' }])
  })

  it('refuses what is no result', () => {
    expect(() => parseVitestResults({})).toThrow()
  })
})

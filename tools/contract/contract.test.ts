import { describe, expect, it } from 'vitest'
import { parseVitestResults, type TestResult } from '../lib/vitest-results.ts'
import { citedIds } from './cited-ids.ts'
import { parseClauses } from './clauses.ts'
import { findUnknownIds, judgeCoverage } from './judge-coverage.ts'
import { reportAll, reportArea } from './report.ts'

const clauses = parseClauses('id\tarea\tclause\nAA-01\tone\tFirst.\nAA-02\tone\tSecond.\nBB-01\ttwo\tThird.\n')
const passing = (title: string): TestResult => ({ title, status: 'passed' })
const failing = (title: string): TestResult => ({ title, status: 'failed' })
const verdictsOf = (tests: TestResult[]) => judgeCoverage(clauses, tests).map(({ verdict }) => verdict)
const ofOne = (tests: TestResult[]) => judgeCoverage(clauses.slice(0, 2), tests)

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

  it('does not count a test that did not run', () => {
    expect(verdictsOf([{ title: '[AA-01] a', status: 'notRun' }])).toEqual(['uncovered', 'uncovered', 'uncovered'])
  })

  it('names ids that are no clause', () => {
    expect(findUnknownIds(clauses, [passing('[AA-01, AA-99] [UTF-8] a')])).toEqual(['AA-99'])
  })
})

describe('reports', () => {
  it('lists the open clauses of an area and fails', () => {
    expect(reportArea(ofOne([failing('[AA-01] a')]))).toEqual({
      lines: ['failing   AA-01      First.', 'uncovered AA-02      Second.', 'covered 0/2'],
      passed: false,
    })
    expect(reportArea(ofOne([passing('[AA-01, AA-02] a')]))).toEqual({ lines: ['covered 2/2'], passed: true })
  })

  it('fails over all areas only for those that are done', () => {
    const verdicts = judgeCoverage(clauses, [passing('[AA-01, AA-02] a')])
    expect(reportAll(verdicts, ['one']).passed).toBe(true)
    expect(reportAll(verdicts, ['one', 'two']).passed).toBe(false)
    expect(reportAll(verdicts, ['two']).lines[0]).toBe('uncovered BB-01      Third.')
    expect(() => reportAll(verdicts, ['three'])).toThrow('three')
  })
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

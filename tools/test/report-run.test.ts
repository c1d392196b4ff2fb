import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { reportFailures, reportSlowest } from './report-run.ts'
import { parseHistory, recordRun, type TestRun } from './test-history.ts'

const folder = mkdtempSync(join(tmpdir(), 'weir-history-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (change: Partial<TestRun> = {}): TestRun => ({
  date: '2030-01-07T12:00:00.000Z',
  commit: 'abc1234567',
  isStress: false,
  seconds: 60,
  files: 450,
  failed: [],
  ...change,
})

describe('the slowest files', () => {
  it('are ten, in aligned columns', () => {
    const times = Array.from({ length: 12 }, (_, at) => ({
      path: `server/test/${at}.test.ts`,
      seconds: at * 1.25,
      tests: at,
      hasFailed: false,
    }))
    const lines = reportSlowest(times)
    expect(lines).toHaveLength(11)
    expect(lines.slice(0, 3)).toEqual([
      'slowest test files  seconds  tests',
      'test/11.test.ts        13.8     11',
      'test/10.test.ts        12.5     10',
    ])
    expect(lines.at(-1)).toBe('test/2.test.ts          2.5      2')
  })

  it('are nothing where nothing ran', () => {
    expect(reportSlowest([])).toEqual([])
  })
})

describe('the failures', () => {
  it('are counted by file over all runs, most often first', () => {
    const runs = [
      run({ failed: ['server/test/b.test.ts'] }),
      run({ failed: ['server/test/a.test.ts', 'server/test/b.test.ts'], isStress: true, commit: 'def1234567+' }),
      run(),
    ]
    expect(reportFailures(runs)).toEqual([
      'failed in the last 3 runs  runs  under stress                    last',
      'test/b.test.ts                2             1  2030-01-07 def1234567+',
      'test/a.test.ts                1             1  2030-01-07 def1234567+',
    ])
  })

  it('are said to be none', () => {
    expect(reportFailures([run(), run()])).toEqual(['no failure in the last 2 runs'])
    expect(reportFailures([run()])).toEqual(['no failure in the last 1 run'])
  })
})

describe('the history', () => {
  it('keeps the last 200 runs', () => {
    const path = join(folder, 'long.jsonl')
    writeFileSync(path, Array.from({ length: 205 }, (_, at) => `${JSON.stringify(run({ seconds: at }))}\n`).join(''))
    const runs = recordRun(path, run({ seconds: 205, failed: ['server/test/a.test.ts'] }))
    expect(runs.map(({ seconds }) => seconds)).toEqual(Array.from({ length: 200 }, (_, at) => at + 6))
    expect(parseHistory(readFileSync(path, 'utf8'))).toEqual(runs)
  })

  it('begins with the first run, in a folder that is not there yet', () => {
    const path = join(folder, 'new', 'history.jsonl')
    expect(recordRun(path, run())).toEqual([run()])
  })

  it('leaves out lines that are no run', () => {
    expect(parseHistory(`{"date":\n[]\nnull\n${JSON.stringify(run())}\n`)).toEqual([run()])
  })
})

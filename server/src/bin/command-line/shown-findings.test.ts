import { expect, it } from 'vitest'
import { fault, type Finding, ok, unknown, warning } from '#control/standing/finding.ts'
import { shownFindings } from './shown-findings.ts'

const one = { ok: ok('a', 's'), warning: warning('b', 's', 'do'), unknown: unknown('c', 's', 'do') }
const bad = fault('d', 's', 'do')

it.each<[string, Finding[], number, string]>([
  ['nothing else', [one.ok], 0, 'No problems found.'],
  ['a warning', [one.ok, one.warning], 0, '1 warning.'],
  ['two warnings', [one.warning, one.warning], 0, '2 warnings.'],
  ['something unknown', [one.ok, one.unknown], 0, 'No problems found in what could be checked. 1 unknown.'],
  ['a warning and something unknown', [one.warning, one.unknown], 0, '1 warning. 1 unknown.'],
  ['a fault', [one.ok, bad], 1, '1 fault.'],
  ['a fault and a warning', [bad, one.warning], 1, '1 fault and 1 warning.'],
  ['a fault and something unknown', [bad, bad, one.unknown], 1, '2 faults. 1 unknown.'],
])('beside %s: a fault alone makes the exit code 1', (_name, findings, exitCode, summary) => {
  const shown = shownFindings(findings)
  expect([shown.exitCode, shown.lines.at(-1)]).toEqual([exitCode, summary])
})

it('shows a line for each finding in columns, its advice below it, and the same as data', () => {
  const { lines, data } = shownFindings([ok('Postgres', 'answers'), fault('key', 'is short', 'Make it longer.')])
  expect(lines).toEqual([
    'ok       Postgres  answers',
    'fault    key       is short',
    '                   → Make it longer.',
    '',
    '1 fault.',
  ])
  expect(data).toEqual({
    faults: 1,
    warnings: 0,
    unknown: 0,
    findings: [
      { what: 'Postgres', state: 'ok', says: 'answers' },
      { what: 'key', state: 'fault', says: 'is short', advice: 'Make it longer.' },
    ],
  })
})

import type { Finding } from '#control/standing/finding.ts'
import type { CommandOutput } from './command.ts'

/**
 * Prints a line per finding with its advice, and the number of faults and unknowns. The exit code is 1 if there is a
 * fault.
 */
export function shownFindings(findings: readonly Finding[]): CommandOutput {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.flatMap(({ what, state, says, advice }) => [
    `${state.padEnd(stateWidth)}  ${what.padEnd(width)}  ${says}`,
    ...(advice === undefined ? [] : [`${indent}→ ${advice}`]),
  ])
  const countIn = (wanted: Finding['state']): number => findings.filter(({ state }) => state === wanted).length
  const [faults, warnings, unknown] = [countIn('fault'), countIn('warning'), countIn('unknown')]
  return {
    lines: [...lines, '', summaryOf({ faults, warnings, unknown })],
    data: { faults, warnings, unknown, findings: findings.map((finding) => ({ ...finding })) },
    exitCode: faults === 0 ? 0 : 1,
  }
}

const stateWidth = 'warning'.length

function summaryOf(counts: { faults: number; warnings: number; unknown: number }): string {
  const found = [countOf(counts.faults, 'fault'), countOf(counts.warnings, 'warning')].filter((text) => text !== '')
  const wrong = found.length === 0 ? '' : `${found.join(' and ')}.`
  if (counts.unknown === 0) return wrong === '' ? 'No problems found.' : wrong
  return `${wrong === '' ? 'No problems found in what could be checked.' : wrong} ${counts.unknown} unknown.`
}

function countOf(count: number, what: string): string {
  if (count === 0) return ''
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

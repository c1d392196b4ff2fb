import type { Finding } from '#control/standing/finding.ts'
import type { CommandOutput } from './command.ts'

/** A line for each finding, advice below it, and the count of what is wrong. Exit code 1 where there is a fault. */
export function shownFindings(findings: readonly Finding[]): CommandOutput {
  const width = Math.max(...findings.map(({ what }) => what.length))
  const indent = ' '.repeat(stateWidth + width + 4)
  const lines = findings.flatMap(({ what, state, says, advice }) => [
    `${state.padEnd(stateWidth)}  ${what.padEnd(width)}  ${says}`,
    ...(advice === undefined ? [] : [`${indent}→ ${advice}`]),
  ])
  const faults = findings.filter(({ state }) => state === 'fault').length
  const warnings = findings.filter(({ state }) => state === 'warning').length
  return {
    lines: [...lines, '', summaryOf(faults, warnings)],
    data: { faults, warnings, findings: findings.map((finding) => ({ ...finding })) },
    exitCode: faults === 0 ? 0 : 1,
  }
}

const stateWidth = 'warning'.length

function summaryOf(faults: number, warnings: number): string {
  if (faults === 0 && warnings === 0) return 'All is well.'
  const counted = [countOf(faults, 'fault'), countOf(warnings, 'warning')].filter((text) => text !== '')
  return `${counted.join(' and ')}.`
}

function countOf(count: number, what: string): string {
  if (count === 0) return ''
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

import type { Finding } from '../../api/operator-health.ts'

const urgency = { fault: 0, warning: 1, unknown: 2, ok: 3 } as const

/** The findings that need a person first. Findings of one state keep the order in which they were checked. */
export function orderFindings<Row extends Pick<Finding, 'state'>>(findings: readonly Row[]): Row[] {
  return findings.toSorted((one, other) => urgencyOf(one.state) - urgencyOf(other.state))
}

function urgencyOf(state: string): number {
  return new Map<string, number>(Object.entries(urgency)).get(state) ?? 0
}

/** Such as `1 fault, 2 warnings`. */
export function summaryOf(counts: { readonly faults: number; readonly warnings: number; readonly unknown: number }) {
  const words = [
    countOf(counts.faults, 'fault'),
    countOf(counts.warnings, 'warning'),
    counts.unknown === 0 ? '' : `${counts.unknown} unknown`,
  ].filter((text) => text !== '')
  return words.length === 0 ? 'No problems found' : words.join(', ')
}

function countOf(count: number, what: string): string {
  if (count === 0) return ''
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

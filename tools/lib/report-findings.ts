import { type Finding, formatFinding } from './finding.ts'

/** Prints findings, then what was looked at, and sets the exit code. */
export function reportFindings(findings: readonly Finding[], summary: string): void {
  for (const finding of findings) console.log(formatFinding(finding))
  console.log(`${summary}: ${findings.length} finding${findings.length === 1 ? '' : 's'}`)
  if (findings.length > 0) process.exitCode = 1
}

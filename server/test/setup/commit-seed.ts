import { execFileSync } from 'node:child_process'

/** Derived from the commit, so that a run is repeatable and yet differs between commits. */
export function commitSeed(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(commit.slice(0, 7), 16)
  } catch {
    // A copy without a repository.
    return 1
  }
}

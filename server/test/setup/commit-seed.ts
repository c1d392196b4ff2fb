import { execFileSync } from 'node:child_process'

/** By the commit, so that a run can be repeated and yet no two commits are asked the same. */
export function commitSeed(): number {
  try {
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return Number.parseInt(commit.slice(0, 7), 16)
  } catch {
    // A copy without a repository.
    return 1
  }
}

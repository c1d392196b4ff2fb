import { execFileSync } from 'node:child_process'

/**
 * Every path that differs from an earlier state, with both names of a renamed file, deleted files and new files that
 * git does not ignore. The earlier state is the merge base of `reference` and HEAD. Without a reference it is the merge
 * base of `main` and HEAD; if main contains HEAD, it is HEAD, or its parent if there is nothing to commit.
 */
export function findChangedFiles(root: string, reference?: string): ChangedFiles {
  const git = (...args: string[]) => runGit(root, args)
  const head = git('rev-parse', 'HEAD').trim()
  if (reference !== undefined) {
    if (!hasCommit(root, reference)) throw new Error(`git knows no commit ${reference}`)
    return since(root, git('merge-base', reference, 'HEAD').trim(), `since ${reference}`)
  }
  const main = ['main', 'origin/main'].find((name) => hasCommit(root, name))
  const base = main === undefined ? head : git('merge-base', main, 'HEAD').trim()
  if (base !== head) return since(root, base, `since ${main}`)
  const uncommitted = since(root, head, 'not committed')
  if (uncommitted.paths.length > 0 || !hasCommit(root, 'HEAD~1')) return uncommitted
  return since(root, 'HEAD~1', 'in the last commit')
}

type ChangedFiles = {
  readonly paths: readonly string[]
  /** Shown to people: `since main`, `not committed`. */
  readonly span: string
}

function since(root: string, commit: string, span: string): ChangedFiles {
  const changed = runGit(root, ['diff', '--name-only', '--no-renames', '-z', commit])
  const added = runGit(root, ['ls-files', '--others', '--exclude-standard', '-z'])
  const paths = `${changed}${added}`.split('\0').filter((path) => path !== '')
  return { paths: [...new Set(paths)].sort(), span }
}

function hasCommit(root: string, name: string): boolean {
  try {
    runGit(root, ['rev-parse', '--verify', '--quiet', `${name}^{commit}`])
    return true
  } catch {
    return false
  }
}

function runGit(root: string, args: readonly string[]): string {
  const maxBuffer = 64 * 1024 * 1024
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer, stdio: ['ignore', 'pipe', 'ignore'] })
}

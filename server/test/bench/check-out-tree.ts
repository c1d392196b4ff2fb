import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Checks out the tree of a commit into its own folder, kept for the next time. It uses the packages installed here if
 * its lock file is the same, and installs its own otherwise.
 */
export function checkOutTree(
  commit: string,
  { repositoryRoot, cacheFolder }: { repositoryRoot: string; cacheFolder: string },
): string {
  const git = (...parameters: string[]): Buffer =>
    execFileSync('git', parameters, { cwd: repositoryRoot, maxBuffer: 2 ** 30 })
  const hash = git('rev-parse', '--verify', `${commit}^{commit}`).toString('utf8').trim()
  const folder = join(cacheFolder, 'trees', hash)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  execFileSync('tar', ['-x', '-C', unfinished], { input: git('archive', hash) })
  if (lockOf(unfinished) === lockOf(repositoryRoot)) {
    for (const place of ['node_modules', 'server/node_modules']) {
      if (existsSync(join(repositoryRoot, place))) symlinkSync(join(repositoryRoot, place), join(unfinished, place))
    }
  } else {
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--prefer-offline'], { cwd: unfinished, stdio: 'ignore' })
  }
  renameSync(unfinished, folder)
  return folder
}

function lockOf(root: string): string {
  return readFileSync(join(root, 'package-lock.json'), 'utf8')
}

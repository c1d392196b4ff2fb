import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../../..', import.meta.url))

export interface EarlierTree {
  readonly folder: string
  readonly commit: string
  remove(): Promise<void>
}

/**
 * All files of the earlier version: of the last release, or without one, of the commit before the newest migration. It
 * runs with the packages of this tree.
 */
export async function openEarlierTree(given: string | undefined): Promise<EarlierTree> {
  const commit = await git('rev-parse', `${given ?? (await findEarlier())}^{commit}`)
  const folder = await mkdtemp(join(tmpdir(), 'weir-earlier-'))
  await run('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', commit, folder], { cwd: root })
  for (const place of ['node_modules', 'server/node_modules']) {
    if (existsSync(join(root, place))) await symlink(join(root, place), join(folder, place))
  }
  return { folder, commit, remove: () => rm(folder, { recursive: true, force: true }) }
}

async function findEarlier(): Promise<string> {
  const tag = await git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^').catch(() => null)
  if (tag !== null) return tag
  const files = (await git('ls-tree', '--name-only', 'HEAD', 'server/sql/migrations/')).split('\n')
  return `${await git('log', '-1', '--diff-filter=A', '--format=%H', '--', files.toSorted().at(-1) ?? '')}^`
}

async function git(...words: string[]): Promise<string> {
  return (await run('git', words, { cwd: root })).stdout.trim()
}

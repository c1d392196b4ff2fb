import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { checkOutTree } from '../check-out-tree.ts'
import { type ComparedCosts, judgeBuilds } from './judge-builds.ts'

const program = fileURLToPath(new URL('compare-process.ts', import.meta.url))
const repositoryRoot = fileURLToPath(new URL('../../../../', import.meta.url))
const processes = 3

/** `npm run bench -- compare A B`: compares the CPU of a request in two commits; see README.md. */
export async function compareBuilds(
  [first, second]: readonly [first: string, second: string],
  { isJson, log }: { readonly isJson: boolean; readonly log: (line: string) => void },
): Promise<void> {
  const folders = { first: treeOf(first), again: treeOf(first, 'again'), second: treeOf(second) }
  const measured: ComparedCosts[] = []
  for (let turn = 1; turn <= processes; turn += 1) {
    log(`compare: process ${turn} of ${processes}`)
    measured.push(await measure(folders))
  }
  const lines = judgeBuilds(measured, { first, second })
  process.stdout.write(isJson ? `${JSON.stringify({ first, second, measured })}\n` : `${lines.join('\n')}\n`)
}

function treeOf(commit: string, copy = 'once'): string {
  const tree = checkOutTree(commit, { repositoryRoot, cacheFolder: join(repositoryRoot, '.weir', 'compare', copy) })
  if (existsSync(join(tree, 'server/test/bench/counters/memory-edge.ts'))) return tree
  throw new Error(`${commit} has no gateway in memory (server/test/bench/counters), so it cannot be compared`)
}

async function measure(folders: Readonly<Record<keyof ComparedCosts, string>>): Promise<ComparedCosts> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', '--max-semi-space-size=512', program, JSON.stringify(folders)],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  )
  return JSON.parse(stdout) as ComparedCosts
}

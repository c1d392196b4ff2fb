import { execFileSync, spawnSync } from 'node:child_process'
import { measureGateways } from '../measure-gateways.ts'
import { type BenchSettings, fullSettings } from '../settings.ts'
import { ratioOf, seriesOf } from '../windows.ts'
import { judgeGuard } from './judge-guard.ts'

/** The reference tree until there is a release to compare with. */
const firstReference = '83a33cd6'

const settings: BenchSettings = { ...fullSettings, windows: 9, warmUpMs: 5_000, jsonMs: 1_500, streamMs: 1_000 }

/**
 * Compares this gateway's CPU per request and per stream chunk with the last release, in the windows of one run, and
 * returns the verdict.
 */
export async function runGuard(options: {
  scratchFolder: string
  log: (line: string) => void
  commit: string | undefined
  plantedUs: number
}): Promise<boolean> {
  const earlierCommit = options.commit ?? lastRelease() ?? firstReference
  if (!isHere(earlierCommit)) {
    options.log(`guard: this clone has no history with ${earlierCommit}, so there is nothing to compare with`)
    return true
  }
  const entries = await measureGateways({
    ...options,
    settings,
    names: ['weir', 'weir-earlier'],
    phases: ['json', 'stream'],
    hasMemory: false,
    earlierCommit,
  })
  const [weir, earlier] = entries
  const verdicts = (['json', 'stream'] as const).map((phase) =>
    judgeGuard(
      phase === 'json' ? 'a request' : 'a piece of a stream',
      ratioOf(seriesOf(weir, phase, 'cpuUs'), seriesOf(earlier, phase, 'cpuUs')),
    ),
  )
  process.stdout.write(`beside ${earlierCommit}\n${verdicts.map(({ line }) => `${line}\n`).join('')}`)
  return verdicts.every(({ hasPassed }) => hasPassed)
}

function lastRelease(): string | undefined {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { encoding: 'utf8' })
  return tags.split('\n').find((tag) => tag !== '')
}

function isHere(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' }).status === 0
}

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { measureGateways } from '../measure-gateways.ts'
import { type BenchSettings, fullSettings } from '../settings.ts'
import { ratioOf, seriesOf } from '../windows.ts'
import { judgeGuard } from './judge-guard.ts'

/** The reference tree until there is a release to compare with. */
const firstReference = '83a33cd6'

/** On a disturbed machine a run may have no window to compare. */
const runsMax = 3

interface GuardOptions {
  scratchFolder: string
  log: (line: string) => void
  commit: string | undefined
  plantedUs: number
}

const settings: BenchSettings = { ...fullSettings, windows: 9, warmUpMs: 5_000, jsonMs: 1_500, streamMs: 1_000 }

/**
 * Compares this gateway's CPU per request and per stream chunk with the last release, in the windows of one run, and
 * returns the verdict.
 */
export async function runGuard(options: GuardOptions): Promise<boolean> {
  const earlierCommit = options.commit ?? lastRelease() ?? firstReference
  if (!isHere(earlierCommit)) {
    options.log(`guard: this clone has no history with ${earlierCommit}, so there is nothing to compare with`)
    return true
  }
  let costs = await measureCosts(options, earlierCommit)
  for (let run = 1; run < runsMax && costs.some(({ ratio }) => ratio === null); run += 1) {
    options.log('guard: other processes disturbed every window, so all are measured again')
    // Engines start in an empty folder, which their own user can reach.
    const scratchFolder = join(options.scratchFolder, `run-${run}`)
    mkdirSync(scratchFolder, { mode: 0o755 })
    costs = await measureCosts({ ...options, scratchFolder }, earlierCommit)
  }
  const verdicts = costs.map(({ what, ratio }) => judgeGuard(what, ratio))
  process.stdout.write(`beside ${earlierCommit}\n${verdicts.map(({ line }) => `${line}\n`).join('')}`)
  return verdicts.every(({ hasPassed }) => hasPassed)
}

async function measureCosts(options: GuardOptions, earlierCommit: string) {
  const [weir, earlier] = await measureGateways({
    ...options,
    settings,
    names: ['weir', 'weir-earlier'],
    phases: ['json', 'stream'],
    hasMemory: false,
    earlierCommit,
  })
  return (['json', 'stream'] as const).map((phase) => ({
    what: phase === 'json' ? 'a request' : 'a piece of a stream',
    ratio: ratioOf(seriesOf(weir, phase, 'cpuUs'), seriesOf(earlier, phase, 'cpuUs')),
  }))
}

function lastRelease(): string | undefined {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], { encoding: 'utf8' })
  return tags.split('\n').find((tag) => tag !== '')
}

function isHere(commit: string): boolean {
  return spawnSync('git', ['cat-file', '-e', `${commit}^{commit}`], { stdio: 'ignore' }).status === 0
}

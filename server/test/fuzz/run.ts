import { parseArgs } from 'node:util'
import { commitSeed } from '#test/setup/commit-seed.ts'
import type { FuzzReport } from './engine/fuzz-target.ts'
import { replay } from './replay.ts'
import { createLane, type FuzzLane } from './start-lane.ts'
import type { FuzzTarget } from './target.ts'
import { targets } from './targets.ts'

/**
 * `npm run fuzz [-- --target NAME…] [-- --runs N] [-- --seed N] [-- --short] [-- --keep] [-- --replay FILE]`: runs
 * mutated inputs against everything that reads untrusted data. Throwing, stalling, leaking and 5xx responses are
 * findings.
 */
const { values } = parseArgs({
  options: {
    target: { type: 'string', multiple: true, default: [] },
    runs: { type: 'string' },
    seed: { type: 'string' },
    short: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '2' },
    replay: { type: 'string' },
  },
})

/** Enough to try each seed and some mutations of it. */
const shortRunsMax = 120

if (values.replay === undefined) process.exitCode = (await fuzz(choose(values.target))) ? 0 : 1
else process.exitCode = (await replay(values.replay)) ? 0 : 1

async function fuzz(chosen: readonly FuzzTarget[]): Promise<boolean> {
  const seed = Number(values.seed ?? commitSeed())
  const startedAtMs = Date.now()
  // Targets with files or a gateway take longest, so they start first.
  const waiting = chosen.toSorted((one, other) => weightOf(other) - weightOf(one))
  const reports: FuzzReport[] = []
  let deaths = 0
  say(`${chosen.length} targets, seed ${seed} (repeat with --seed ${seed})`)
  say(row(['target', 'inputs', 'blocks', 'new', 'seconds', 'findings']))
  const work = async (lane: FuzzLane): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const outcome = await lane.run({
        target: next.name,
        seed,
        runs: runsOf(next),
        learns: !values.short,
        keeps: values.keep,
      })
      // A long run gives every target its own process, so that their memory is separate.
      if (!values.short) await lane.end()
      if ('diedWith' in outcome) {
        deaths += 1
        say(`${next.name}: the process ended with ${outcome.diedWith}`)
      } else {
        reports.push(outcome)
        show(outcome)
      }
    }
    await lane.end()
  }
  await Promise.all(Array.from({ length: Number(values.lanes) }, () => work(createLane())))
  const inputs = reports.reduce((sum, report) => sum + report.inputs, 0)
  const findings = deaths + reports.reduce((sum, report) => sum + report.findings.length, 0)
  const seconds = Math.round((Date.now() - startedAtMs) / 1_000)
  say(`${inputs.toLocaleString('en')} inputs in ${seconds} s, ${findings} findings`)
  return findings === 0
}

function show({ target, inputs, seedBlocks, newBlocks, milliseconds, findings, passing }: FuzzReport): void {
  const blocks = [seedBlocks, newBlocks].map((count) => (count === null ? '–' : String(count)))
  const counts = [inputs.toLocaleString('en'), ...blocks, (milliseconds / 1_000).toFixed(1)]
  say(row([target, ...counts, String(findings.length)]))
  for (const { kind, message, path } of findings) {
    say(`  ${kind}: ${message.replaceAll('\n', '\n    ')}\n  repeat with: npm run fuzz -- --replay ${path}`)
  }
  for (const message of passing) say(`  once, and not again: ${message.replaceAll('\n', '\n    ')}`)
}

function row([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(26)}${cells.map((cell) => cell.padStart(11)).join('')}`
}

function weightOf(target: FuzzTarget): number {
  return target.open === undefined ? runsOf(target) : Number.MAX_SAFE_INTEGER
}

function runsOf(target: FuzzTarget): number {
  if (values.runs !== undefined) return Number(values.runs)
  return values.short ? Math.min(shortRunsMax, Math.ceil(target.runs / 100)) : target.runs
}

function choose(names: readonly string[]): readonly FuzzTarget[] {
  const unknown = names.find((name) => !targets.some((target) => target.name === name))
  if (unknown !== undefined) {
    throw new Error(`no target is called ${unknown}; there are ${targets.map(({ name }) => name).join(', ')}`)
  }
  return names.length === 0 ? targets : targets.filter(({ name }) => names.includes(name))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

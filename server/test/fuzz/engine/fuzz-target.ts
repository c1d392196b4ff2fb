import type { FuzzTarget } from '../target.ts'
import { keepInCorpus, readCorpus } from './corpus.ts'
import { FuzzRun } from './fuzz-run.ts'
import { createJudge } from './judge-input.ts'
import { learn } from './learn.ts'
import type { Learnt } from './learn-order.ts'
import type { Watchdog } from './watchdog.ts'
import { wordsFor } from './word-list.ts'

export interface FuzzOrder {
  readonly target: string
  readonly seed: number
  readonly runs: number
  /** If false, only the seeds of the repository are mutated, which needs no thread and no coverage. */
  readonly learns: boolean
  /** Whether inputs that reach new blocks join the seeds of the repository. */
  readonly keeps: boolean
}

export interface FuzzReport {
  readonly target: string
  readonly inputs: number
  readonly seeds: number
  /** Null if nothing was learned. */
  readonly seedBlocks: number | null
  readonly newBlocks: number | null
  readonly milliseconds: number
  readonly findings: readonly { readonly kind: string; readonly message: string; readonly path: string }[]
  /** Faults that did not recur with the same input, so they may be random. */
  readonly passing: readonly string[]
}

const usualBytesMax = 131_072
/** The share of inputs that run with coverage; the others may be large, and are timed. */
const learningShare = 0.3

export async function fuzzTarget(target: FuzzTarget, order: FuzzOrder, watchdog: Watchdog): Promise<FuzzReport> {
  const startedAtMs = Date.now()
  const runs = Math.floor(order.runs * learningShare)
  const learnt = order.learns ? await learn({ target: target.name, seed: order.seed, runs }) : null
  if (order.keeps) for (const input of learnt?.kept ?? []) keepInCorpus(target, Buffer.from(input))
  const pressed = await press(target, order, { learnt, watchdog })
  return {
    target: target.name,
    inputs: pressed.count + (learnt?.inputs ?? 0),
    seeds: readCorpus(target).length,
    seedBlocks: learnt?.seedBlocks ?? null,
    newBlocks: learnt?.newBlocks ?? null,
    milliseconds: Date.now() - startedAtMs,
    findings: [
      ...(learnt?.findings ?? []),
      ...pressed.findings.map(({ kind, message, path }) => ({ kind, message, path })),
    ],
    passing: pressed.passing,
  }
}

/** Runs at full speed, to find inputs that take too long or leak. */
async function press(
  target: FuzzTarget,
  order: FuzzOrder,
  { learnt, watchdog }: { learnt: Learnt | null; watchdog: Watchdog },
): Promise<FuzzRun> {
  await target.open?.()
  const judge = createJudge(target, watchdog, { judgesTime: true })
  const seeds = readCorpus(target)
  const inputs = [...seeds, ...(learnt?.kept ?? []).map((input) => Buffer.from(input))]
  const run = new FuzzRun(target, {
    seed: order.seed + 1,
    judge,
    inputs,
    bytesMax: target.bytesMax ?? usualBytesMax,
  })
  try {
    await run.takeSeeds()
    run.useWords(learnt?.words ?? wordsFor([], target.words ?? [], seeds))
    await run.mutate(Math.max(0, order.runs - (learnt?.inputs ?? 0) - run.count))
    if (target.keepsMemory !== true) await run.judgeGrowth(Math.ceil(Math.min(2_000, Math.max(25, order.runs / 8))))
    return run
  } finally {
    judge.end()
    await target.close?.()
  }
}

import { parentPort, workerData } from 'node:worker_threads'
import { findTarget } from '../targets.ts'
import { readCorpus } from './corpus.ts'
import { startCoverage } from './coverage.ts'
import { FuzzRun } from './fuzz-run.ts'
import { createJudge } from './judge-input.ts'
import type { Learnt, LearnOrder } from './learn-order.ts'
import { startWatchdog } from './watchdog.ts'
import { wordsFor } from './word-list.ts'

const bytesMax = 4_096

// Without this listener a thread with nothing to wait for would end before the watchdog has seen it wait.
parentPort?.on('message', () => {})
const order = workerData as LearnOrder
const target = findTarget(order.target)
await target.open?.()
const seeds = readCorpus(target)
const watchdog = startWatchdog()
const judge = createJudge(target, watchdog, { judgesTime: false })
const coverage = startCoverage()
const run = new FuzzRun(target, { seed: order.seed, judge, inputs: seeds, bytesMax, coverage })
await run.takeSeeds()
const seedBlocks = coverage.blocks
const words = wordsFor(coverage.files, target.words ?? [], seeds)
run.useWords(words)
await run.mutate(order.runs)
judge.end()
await watchdog.close()
await target.close?.()
const learnt: Learnt = {
  kept: run.kept,
  words,
  inputs: run.count,
  seedBlocks,
  newBlocks: coverage.blocks - seedBlocks,
  findings: run.findings.map(({ kind, message, path }) => ({ kind, message, path })),
}
parentPort?.postMessage(learnt, [])

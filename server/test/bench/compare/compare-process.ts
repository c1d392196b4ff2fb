import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Scenario, scenarios } from '../counters/scenarios.ts'
import type { createMemoryGateway } from '../counters/memory-edge.ts'
import type { ComparedCosts } from './judge-builds.ts'
import { quantileOf } from '../figure.ts'

/**
 * `node --expose-gc --max-semi-space-size=512 server/test/bench/compare/compare-process.ts FOLDERS`: loads several
 * trees and sends requests to each in turns of a few milliseconds, so that whatever the machine does, it does to all.
 */
const clients = 16
const warmUps = 600
const slices = 400
const yardstickTurns = 60
/** A slice around which the machine changed its pace by more tells nothing. */
const paceMax = 0.12

const folders = JSON.parse(process.argv[2] ?? '{}') as Record<keyof ComparedCosts, string>
const names = Object.keys(folders) as (keyof ComparedCosts)[]
const loaded = new Map<string, Scenario>()
for (const name of names) loaded.set(name, await load(folders[name]))
await warmUp()
process.stdout.write(`${JSON.stringify(await measure())}\n`)
process.exit(0)

async function load(folder: string): Promise<Scenario> {
  const place = join(folder, 'server/test/bench/counters')
  const edge = await importFrom<{ createMemoryGateway: typeof createMemoryGateway }>(join(place, 'memory-edge.ts'))
  const { scenarios: known } = await importFrom<{ scenarios: typeof scenarios }>(join(place, 'scenarios.ts'))
  return known.json(await edge.createMemoryGateway(), clients)
}

async function importFrom<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(file).href)) as Module
}

async function warmUp(): Promise<void> {
  yardstick(20_000)
  for (let turn = 0; turn < warmUps; turn += 1) for (const scenario of loaded.values()) await scenario.send()
}

async function measure(): Promise<ComparedCosts> {
  const costs = { first: [] as number[], again: [] as number[], second: [] as number[] }
  for (let slice = 0; slice < slices; slice += 1) {
    if (slice % 4 === 0) globalThis.gc?.({ type: 'minor' })
    let before = paceNow()
    for (let turn = 0; turn < names.length; turn += 1) {
      // Each slice begins with another build.
      const name = names[(turn + slice) % names.length]
      const scenario = name === undefined ? undefined : loaded.get(name)
      if (name === undefined || scenario === undefined) continue
      const startedUs = cpuUs()
      await scenario.send()
      const spentUs = cpuUs() - startedUs
      const after = paceNow()
      if (Math.abs(before - after) <= paceMax * Math.min(before, after)) {
        costs[name].push(spentUs / scenario.requests / ((before + after) / 2))
      }
      before = after
    }
  }
  return { first: costOf(costs.first), again: costOf(costs.again), second: costOf(costs.second) }
}

/** What others take from the machine comes in spells, so many slices are whole. */
function costOf(slicesOfOne: readonly number[]): number {
  return quantileOf(slicesOfOne, 0.25)
}

function paceNow(): number {
  const startedUs = cpuUs()
  yardstick(yardstickTurns)
  return (cpuUs() - startedUs) / yardstickTurns
}

/** CPU of this thread. Reading that of the process first brings it up to date; alone it moves in ticks of 4 ms. */
function cpuUs(): number {
  process.cpuUsage()
  const { user, system } = process.threadCpuUsage()
  return user + system
}

/** Fixed work of the same kind: objects, strings and numbers. */
function yardstick(turns: number): number {
  let sum = 0
  for (let turn = 0; turn < turns; turn += 1) {
    const text = JSON.stringify({ turn, words: ['one', 'two', 'three'], nested: { value: turn / 3 } })
    const { nested } = JSON.parse(text) as { nested: { value: number } }
    sum += nested.value + text.length
  }
  return sum
}

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFilterEngine } from '#bin/wiring/filter-engine.ts'
import { type FilterThreads, inspectMs } from '#net/filters/filter-threads.ts'
import type { FilterRequest } from '#ports/filter-engine.ts'
import { hostileRequests } from './hostile-requests.ts'
import { type LoopGap, startLoopProbe } from './loop-probe.ts'

const requestCount = 1_000
const atOnce = 8
const blockedMsMax = 50
/** For the turns between a deadline and its answer. What the whole process waited for a core comes on top. */
const slackMs = 50

let engine: FilterThreads

beforeAll(async () => {
  engine = createFilterEngine()
  await engine.ready
})

afterAll(() => engine.close())

interface Answered {
  readonly startMs: number
  readonly endMs: number
  readonly isNeedleKnown: boolean
  readonly isFinished: boolean
}

async function inspect(request: FilterRequest): Promise<Answered> {
  const startMs = performance.now()
  const { hits, texts } = await engine.inspect(request)
  const endMs = performance.now()
  const needleHit = hits.find(({ ruleId }) => ruleId === request.rules[0]?.id)
  expect(texts).toHaveLength(request.texts.length)
  return {
    startMs,
    endMs,
    isNeedleKnown: needleHit !== undefined && (needleHit.timedOut || needleHit.matches.length > 0),
    isFinished: hits.every(({ timedOut }) => !timedOut),
  }
}

function waitedFor(gaps: readonly LoopGap[], { startMs, endMs }: Answered): number {
  const overlapping = gaps.filter((gap) => gap.endMs > startMs && gap.startMs < endMs)
  return overlapping.reduce((sum, gap) => sum + Math.max(0, gap.endMs - gap.startMs - gap.cpuMs), 0)
}

it('answers 1,000 hostile requests in time, blocks nobody meanwhile, and misses nothing silently', async () => {
  const requests = Array.from(hostileRequests(requestCount)).values()
  const answers: Answered[] = []
  const probe = startLoopProbe()
  const work = async (): Promise<void> => {
    for (let next = requests.next(); next.done !== true; next = requests.next()) answers.push(await inspect(next.value))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  probe.stop()

  expect(answers).toHaveLength(requestCount)
  const late = answers.filter(
    (answer) => answer.endMs - answer.startMs > inspectMs + slackMs + waitedFor(probe.gaps, answer),
  )
  expect(late.map(({ startMs, endMs }) => endMs - startMs)).toEqual([])
  expect(probe.gaps.filter(({ cpuMs }) => cpuMs > blockedMsMax)).toEqual([])
  expect(answers.filter(({ isNeedleKnown }) => !isNeedleKnown)).toEqual([])

  // A test in which everything is given up at once, or everything is easy, would show nothing.
  const finished = answers.filter(({ isFinished }) => isFinished).length
  expect(finished).toBeGreaterThan(20)
  expect(finished).toBeLessThan(requestCount - 20)
}, 120_000)

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFilterEngine } from '#bin/wiring/filters.ts'
import type { FilterThreads } from '#net/filters/filter-threads.ts'
import type { FilterRequest } from '#ports/filter-engine.ts'
import { hostileRequests } from './hostile-requests.ts'

const requestCount = 240
const atOnce = 8
/** The event loop time per request: at most ten times the time to hand over four million characters. */
const handOversMax = 10

let engine: FilterThreads

beforeAll(async () => {
  engine = createFilterEngine()
  await engine.ready
})

afterAll(() => engine.close())

interface Answered {
  readonly isNeedleKnown: boolean
  readonly isFinished: boolean
}

async function inspect(request: FilterRequest): Promise<Answered> {
  const { hits, texts } = await engine.inspect(request)
  const needleHit = hits.find(({ ruleId }) => ruleId === request.rules[0]?.id)
  expect(texts).toHaveLength(request.texts.length)
  return {
    isNeedleKnown: needleHit !== undefined && (needleHit.timedOut || needleHit.matches.length > 0),
    isFinished: hits.every(({ timedOut }) => !timedOut),
  }
}

it('answers every hostile request, and misses nothing silently', async () => {
  const requests = Array.from(hostileRequests(requestCount)).values()
  const answers: Answered[] = []
  const work = async (): Promise<void> => {
    for (const request of requests) answers.push(await inspect(request))
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  expect(answers).toHaveLength(requestCount)
  expect(answers.filter(({ isNeedleKnown }) => !isNeedleKnown)).toEqual([])
  // A test in which every request is easy, or every request times out, would prove nothing.
  expect(answers.some(({ isFinished }) => !isFinished)).toBe(true)
  const easy = Array.from(hostileRequests(requestCount)).find(isEasy)
  if (easy === undefined) throw new Error('none of the requests is easy')
  await expect.poll(async () => (await inspect(easy)).isFinished).toBe(true)
})

it('takes next to nothing of the event loop, whatever its threads do', async () => {
  for (const request of hostileRequests(requestCount / 4)) {
    // CPU time of this thread relative to a yardstick measured at the same moment: the machine's speed and other
    // processes do not count. Means of more rounds while above the limit: where the kernel counts CPU time in steps,
    // one short inspection may be counted as a whole step.
    let tookMs = 0
    let yardstickMs = 0
    for (let round = 0; round < 20 && tookMs >= handOversMax * yardstickMs; round += 1) {
      const startMs = loopCpuMs()
      await inspect(request)
      tookMs += loopCpuMs() - startMs
      yardstickMs += handOverMs()
    }
    const handOvers = tookMs / yardstickMs
    expect(handOvers, `${request.ruleSet} of ${request.rules.length} rules`).toBeLessThanOrEqual(handOversMax)
  }
})

const fourMillion = ['x'.repeat(4_000_000)]

/**
 * The mean of enough runs to take 20 ms together: the kernel may count a thread's CPU time in steps of several
 * milliseconds.
 */
function handOverMs(): number {
  const startMs = loopCpuMs()
  let count = 0
  while (loopCpuMs() - startMs < 20) {
    structuredClone(fourMillion)
    count += 1
  }
  return (loopCpuMs() - startMs) / count
}

/** One rule besides the needle, without a pattern, and a short text. */
function isEasy({ rules, texts }: FilterRequest): boolean {
  return rules.length === 2 && rules[1]?.matcher.kind !== 'regex' && texts.join('').length < 5_000
}

function loopCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

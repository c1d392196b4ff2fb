import { afterAll, beforeAll, expect, it } from 'vitest'
import { createFilterEngine } from '#bin/wiring/filter-engine.ts'
import type { FilterThreads } from '#net/filters/filter-threads.ts'
import type { FilterRequest } from '#ports/filter-engine.ts'
import { hostileRequests } from './hostile-requests.ts'

const requestCount = 240
const atOnce = 8
/** What one request may take of the event loop: handing over four million characters takes 4 to 10 ms. */
const loopMsMax = 50

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
  // A test in which everything is easy, or everything is given up at once, would show nothing.
  expect(answers.some(({ isFinished }) => !isFinished)).toBe(true)
  const easy = Array.from(hostileRequests(requestCount)).find(isEasy)
  if (easy === undefined) throw new Error('none of the requests is easy')
  await expect.poll(async () => (await inspect(easy)).isFinished).toBe(true)
})

it('takes next to nothing of the event loop, whatever its threads do', async () => {
  for (const request of hostileRequests(requestCount / 4)) {
    let leastMs = Number.POSITIVE_INFINITY
    // CPU time of this thread, and the least of several rounds: other processes and garbage do not count.
    for (let round = 0; round < 5 && leastMs > loopMsMax; round += 1) {
      const startMs = loopCpuMs()
      await inspect(request)
      leastMs = Math.min(leastMs, loopCpuMs() - startMs)
    }
    expect(leastMs, `${request.ruleSet} of ${request.rules.length} rules`).toBeLessThanOrEqual(loopMsMax)
  }
})

/** One rule beside the needle, which is no pattern, and little to look at. */
function isEasy({ rules, texts }: FilterRequest): boolean {
  return rules.length === 2 && rules[1]?.matcher.kind !== 'regex' && texts.join('').length < 5_000
}

function loopCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

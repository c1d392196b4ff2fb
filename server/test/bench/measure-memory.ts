import { setTimeout as sleep } from 'node:timers/promises'
import { makeRequests } from './bench-requests.ts'
import type { Contender } from './contenders/contender.ts'
import { openHeldStreams } from './held-streams.ts'
import { judgeOutcome, runClosedLoop } from './load.ts'
import type { MockUpstream } from './mock-process.ts'
import { probeContender } from './probe-contender.ts'
import { readRssKb } from './process-usage.ts'
import type { BenchSettings } from './settings.ts'
import type { LookErrors } from './look.ts'

export interface MemoryFigures {
  readonly kbPerStream: number | null
  readonly errors: LookErrors
}

/**
 * Measures the memory of open streams in a process without earlier load: a heap that was once large hides the addition.
 */
export async function measureMemory(
  contender: Contender,
  mock: MockUpstream,
  { restMs, openStreams }: BenchSettings,
): Promise<MemoryFigures> {
  const running = await contender.start()
  try {
    const { json, burst } = await probeContender(running)
    await runClosedLoop(json, { concurrency: 8, durationMs: 300 })
    await runClosedLoop(burst, { concurrency: 8, durationMs: 300 })
    await sleep(restMs)
    const beforeKb = running.pid === null ? 0 : readRssKb(running.pid)
    const streams = await openHeldStreams(running.port, makeRequests(running, 'held'), openStreams)
    await sleep(restMs)
    const afterKb = running.pid === null ? 0 : readRssKb(running.pid)
    mock.finishHeld()
    const outcomes = await Promise.race([streams.ended, sleep(30_000, null, { ref: false })])
    streams.close()
    const cut = (outcomes ?? []).map((outcome) => judgeOutcome(outcome, { bodyBytesMin: 0, tail: burst.tail }))
    const failures = [...streams.failures, ...cut.filter((failure) => failure !== null)]
    if (outcomes === null) failures.push(...Array.from({ length: streams.opened }, () => 'a stream that did not end'))
    return {
      kbPerStream: running.pid === null || streams.opened === 0 ? null : (afterKb - beforeKb) / streams.opened,
      errors: { attempts: openStreams, errors: failures.length, firstError: failures[0] ?? null },
    }
  } finally {
    await running.stop()
  }
}

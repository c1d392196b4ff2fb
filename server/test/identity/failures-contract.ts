import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Failures } from '#ports/shared-counts.ts'

interface OpenedFailures {
  failures: Failures
  close(): Promise<void>
}

const startMs = 1_800_000_000_000
const minuteMs = 60_000
const [windowMs, pressureWindowMs, forgetMs] = [15 * minuteMs, 60 * minuteMs, 24 * 60 * minuteMs] as const
const newSubject = (): string => randomBytes(8).toString('hex')

/** The contract of Failures; every implementation runs this suite. */
export function describeFailures(name: string, open: () => Promise<OpenedFailures>): void {
  describe(name, () => {
    let opened: OpenedFailures
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.close())

    /** The pauses, in minutes, of a subject that fails as often as it may. */
    async function pausesOf(subject: string, tolerance: number, fromMs: number, tries: number): Promise<number[]> {
      const pauses: number[] = []
      let nowMs = fromMs
      for (let done = 0; done < tries; done += 1) {
        const verdict = await opened.failures.take(subject, tolerance, nowMs)
        expect(verdict.allowed).toBe(true)
        const next = await opened.failures.take(newSubject(), tolerance, nowMs)
        expect(next.allowed).toBe(true)
        if (!verdict.allowed || verdict.taken.pausedUntilMs === 0) continue
        const refused = await opened.failures.take(subject, tolerance, nowMs)
        if (refused.allowed) throw new Error('a pause refuses')
        pauses.push(refused.retryAfterMs / minuteMs)
        nowMs += refused.retryAfterMs
      }
      return pauses
    }

    it('[B9] pause a subject longer each time, once its tolerance is used up', async () => {
      expect(await pausesOf(newSubject(), 3, startMs, 6)).toEqual([1, 2, 4, 8])
      expect(await pausesOf(newSubject(), 1, startMs, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    })

    it('[B9] forget failures after 15 minutes, and the length of pauses after a day', async () => {
      const { failures } = opened
      const subject = newSubject()
      expect(await pausesOf(subject, 2, startMs, 3)).toEqual([1, 2])
      const verdict = await failures.take(subject, 2, startMs + windowMs)
      expect(verdict).toMatchObject({ allowed: true, taken: { pausedUntilMs: 0 } })
      expect(await pausesOf(subject, 1, startMs + windowMs, 1)).toEqual([4])
      expect(await pausesOf(subject, 1, startMs + 2 * windowMs + forgetMs, 1)).toEqual([1])
    })

    it('[B9] count an attempt before its outcome, and give it back as if it had not been', async () => {
      const { failures } = opened
      const subject = newSubject()
      expect(await pausesOf(subject, 1, startMs, 2)).toEqual([1, 2])
      const laterMs = startMs + 5 * minuteMs
      const together = await Promise.all([1, 2, 3].map(() => failures.take(subject, 1, laterMs)))
      expect(together.filter(({ allowed }) => allowed)).toHaveLength(1)
      const [first] = together
      if (first?.allowed !== true) throw new Error('the first passes')
      await failures.giveBack(subject, first.taken)
      expect(await pausesOf(subject, 1, laterMs, 2)).toEqual([4, 8])
    })

    it('[B9] add up the pressure on a subject within an hour', async () => {
      const { failures } = opened
      const subject = newSubject()
      expect(await failures.readPressure(subject, startMs)).toBe(0)
      expect(await failures.notePressure(subject, startMs)).toBe(1)
      expect(await failures.notePressure(subject, startMs + 1)).toBe(2)
      expect(await failures.readPressure(subject, startMs + pressureWindowMs - 1)).toBe(2)
      expect(await failures.readPressure(subject, startMs + pressureWindowMs)).toBe(0)
      expect(await failures.notePressure(subject, startMs + pressureWindowMs)).toBe(1)
    })
  })
}

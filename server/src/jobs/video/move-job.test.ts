import { expect, it } from 'vitest'
import { acceptedJob, type JobState } from '#domain/video/video-job.ts'
import { pauseAfter } from './move-job.ts'

const pause = (state: JobState, failures: number, rhythmMs = 400) =>
  pauseAfter({ ...acceptedJob, state, failures }, rhythmMs)

it('[VIDEO-27] an upstream is asked about a job in its rhythm, and less often the more steps have failed', () => {
  for (const state of ['running', 'unknown'] as const) {
    expect([0, 1, 2, 3, 10, 99].map((failures) => pause(state, failures))).toEqual([
      400, 2_000, 4_000, 8_000, 60_000, 60_000,
    ])
    expect(pause(state, 1, 5_000)).toBe(5_000)
  }
})

it('what was made is stored at once, and after failures later and later', () => {
  expect([0, 1, 2, 99].map((failures) => pause('storing', failures))).toEqual([0, 2_000, 4_000, 60_000])
})

it('a job that waits to be submitted is due at once', () => {
  expect([pause('accepted', 0), pause('accepted', 5), pause('submitting', 0)]).toEqual([0, 0, 0])
})

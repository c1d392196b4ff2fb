import { expect, it } from 'vitest'
import { targetOf } from '#test/twins/ours/ask-media.ts'
import { polledTarget } from './polled-target.ts'

const target = targetOf({ provider: 'luma', model: 'ray-2' })

it.each([
  [undefined, undefined],
  [
    [5, 9],
    [5, 9],
  ],
  [[4], [5]],
])('a video of five seconds is asked about with the lengths %j as with %j', (durations, asked) => {
  const forms = durations === undefined ? {} : { forms: { durations } }
  expect(polledTarget({ ...target, ...forms }, { durationS: 5 }).forms?.durations).toEqual(asked)
})

import { afterEach, expect, test } from 'vitest'
import { armFailpoints, failpoint, failpointsArmed } from './failpoint.ts'

afterEach(() => armFailpoints(''))

test('a disarmed failpoint does nothing', () => {
  expect(failpointsArmed).toBe(false)
  expect(failpoint('before-settle')).toBeUndefined()
})

test('an armed one pauses from its given hit on, and others pass', async () => {
  armFailpoints('before-settle=pause:1@2')
  expect(failpointsArmed).toBe(true)
  expect(failpoint('after-settle')).toBeUndefined()
  expect(failpoint('before-settle')).toBeUndefined()
  const pause = failpoint('before-settle')
  expect(pause).toBeInstanceOf(Promise)
  await pause
})

test('a list that names no action is refused', () => {
  expect(() => armFailpoints('before-settle=explode')).toThrow('invalid failpoint: before-settle=explode')
})

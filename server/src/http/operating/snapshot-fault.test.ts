import { expect, it } from 'vitest'
import { SealError } from '#lib/seal.ts'
import { snapshotFault } from './snapshot-fault.ts'

const failing = (error: unknown) => ({ sinceMs: 0, times: 1, error })

it('tells a wrong secret from everything else that keeps a snapshot from being loaded', () => {
  expect(snapshotFault(null)).toBeNull()
  expect(snapshotFault(failing(new SealError('it does not open')))).toBe('wrong_secret')
  expect(snapshotFault(failing(new Error('away')))).toBe('load_failed')
})

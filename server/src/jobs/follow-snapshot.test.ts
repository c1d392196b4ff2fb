import { expect, it } from 'vitest'
import type { Failing } from '#lib/fault-watch.ts'
import { followSnapshot } from './follow-snapshot.ts'

it('shows the revision to the snapshot, and fails while its load does', async () => {
  const seen: number[] = []
  const away = new Error('away')
  let failing: Failing | null = { sinceMs: 0, times: 1, error: away }
  const follow = followSnapshot({
    readRevision: async () => 7,
    snapshot: {
      seeRevision: async (revision) => void seen.push(revision),
      get failing() {
        return failing
      },
    },
  })
  await expect(follow()).rejects.toBe(away)
  failing = null
  await follow()
  expect(seen).toEqual([7, 7])
})

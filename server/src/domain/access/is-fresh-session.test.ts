import { expect, it } from 'vitest'
import { isFreshSession } from './is-fresh-session.ts'

it('a session is fresh for ten minutes', () => {
  const signedInAtMs = 1_000
  const isFreshAfter = (ms: number) => isFreshSession({ signedInAtMs }, signedInAtMs + ms)
  expect([0, 600_000, 600_001].map(isFreshAfter)).toEqual([true, true, false])
})

import assert from 'node:assert/strict'
import type { Transcript } from './call.ts'
import type { World } from './world.ts'

/** Whatever happened to Postgres, requests were served or rejected, and every process lives. */
export function proveServedOrRefused({ gateways, workers }: World, seen: readonly Transcript[]): void {
  const odd = seen.filter(({ status, end }) => end === 'broken' || (status !== 200 && status !== 503))
  assert.deepEqual(odd.slice(0, 3), [], 'calls are served or refused with 503')
  const dead = [...gateways, ...workers].filter(({ isAlive }) => !isAlive)
  assert.deepEqual(
    dead.map(({ logLines }) => logLines.slice(-5)),
    [],
    'no process ends',
  )
}

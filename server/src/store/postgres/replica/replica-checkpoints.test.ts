import { expect, it } from 'vitest'
import { createReplicaCheckpoints } from './replica-checkpoints.ts'

it('a replica is current up to the newest checkpoint that it has reached', () => {
  const checkpoints = createReplicaCheckpoints()
  expect(checkpoints.currentToMs).toBeNull()
  for (const at of [1, 2, 3]) checkpoints.add({ position: BigInt(at * 100), atMs: at * 1_000 })
  checkpoints.reach(99n)
  expect(checkpoints.currentToMs).toBeNull()
  checkpoints.reach(100n)
  expect(checkpoints.currentToMs).toBe(1_000)
  checkpoints.reach(299n)
  expect(checkpoints.currentToMs).toBe(2_000)
  checkpoints.reach(300n)
  expect(checkpoints.currentToMs).toBe(3_000)
})

it('while nothing is written, a replica that has everything stays current', () => {
  const checkpoints = createReplicaCheckpoints()
  for (const atMs of [1_000, 2_000]) {
    checkpoints.add({ position: 100n, atMs })
    checkpoints.reach(100n)
    expect(checkpoints.currentToMs).toBe(atMs)
  }
})

it('after a failover to a primary that had received less, its own checkpoints count', () => {
  const checkpoints = createReplicaCheckpoints()
  checkpoints.add({ position: 500n, atMs: 1_000 })
  checkpoints.add({ position: 400n, atMs: 2_000 })
  checkpoints.reach(400n)
  expect(checkpoints.currentToMs).toBe(2_000)
})

it('a replica that is further behind than checkpoints are kept is never taken for newer than it is', () => {
  const checkpoints = createReplicaCheckpoints()
  for (let at = 1; at <= 700; at += 1) checkpoints.add({ position: BigInt(at), atMs: at * 1_000 })
  checkpoints.reach(100n)
  expect(checkpoints.currentToMs).toBeNull()
  checkpoints.reach(101n)
  expect(checkpoints.currentToMs).toBe(101_000)
})

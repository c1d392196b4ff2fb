import { expect, it } from 'vitest'
import { createReplicaMarks } from './replica-marks.ts'

it('a replica is current up to the newest mark that it has reached', () => {
  const marks = createReplicaMarks()
  expect(marks.currentToMs).toBeNull()
  for (const at of [1, 2, 3]) marks.add({ position: BigInt(at * 100), atMs: at * 1_000 })
  marks.reach(99n)
  expect(marks.currentToMs).toBeNull()
  marks.reach(100n)
  expect(marks.currentToMs).toBe(1_000)
  marks.reach(299n)
  expect(marks.currentToMs).toBe(2_000)
  marks.reach(300n)
  expect(marks.currentToMs).toBe(3_000)
})

it('while nothing is written, a replica that has everything stays current', () => {
  const marks = createReplicaMarks()
  for (const atMs of [1_000, 2_000]) {
    marks.add({ position: 100n, atMs })
    marks.reach(100n)
    expect(marks.currentToMs).toBe(atMs)
  }
})

it('after a failover to a primary that had received less, its own marks count', () => {
  const marks = createReplicaMarks()
  marks.add({ position: 500n, atMs: 1_000 })
  marks.add({ position: 400n, atMs: 2_000 })
  marks.reach(400n)
  expect(marks.currentToMs).toBe(2_000)
})

it('a replica that is further behind than marks are kept is never taken for newer than it is', () => {
  const marks = createReplicaMarks()
  for (let at = 1; at <= 700; at += 1) marks.add({ position: BigInt(at), atMs: at * 1_000 })
  marks.reach(100n)
  expect(marks.currentToMs).toBeNull()
  marks.reach(101n)
  expect(marks.currentToMs).toBe(101_000)
})

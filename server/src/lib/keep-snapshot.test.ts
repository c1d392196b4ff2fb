import { expect, test } from 'vitest'
import { keepSnapshot, type Snapshot } from './keep-snapshot.ts'

test('nothing is held before the first load, and each load swaps the whole', async () => {
  const { keeper, load } = keeperOf()
  expect(keeper.current()).toBe('nothing')
  expect(keeper.isLoaded).toBe(false)
  for (const revision of [1, 2]) {
    const refreshed = keeper.refresh()
    load(0).resolve(snapshotOf(revision))
    await refreshed
    expect(keeper.current()).toBe(`value ${revision}`)
    expect(keeper.isLoaded).toBe(true)
  }
})

test('[O3] a first load that fails leaves nothing loaded, until one goes well', async () => {
  const { keeper, load, errors } = keeperOf()
  const bad = keeper.refresh()
  load(0).reject(new Error('sealed'))
  await bad
  expect(keeper.isLoaded).toBe(false)
  expect(errors).toEqual([new Error('sealed')])
  const good = keeper.seeRevision(0)
  load(0).resolve(snapshotOf(0))
  await good
  expect(keeper.isLoaded).toBe(true)
  expect(errors).toEqual([])
})

test('a failing load is reported and keeps the last good snapshot', async () => {
  const { keeper, load, errors } = keeperOf()
  const good = keeper.refresh()
  load(0).resolve(snapshotOf(7))
  await good
  const bad = keeper.seeRevision(8)
  load(0).reject(new Error('the store is away'))
  await bad
  expect(keeper.current()).toBe('value 7')
  expect(errors).toEqual([new Error('the store is away')])
})

test('a revision that is held already loads nothing', async () => {
  const { keeper, load, loads } = keeperOf()
  const first = keeper.seeRevision(0)
  load(0).resolve(snapshotOf(0))
  await first
  await keeper.seeRevision(0)
  expect(loads).toEqual([])
})

test('a refresh during a load waits for a load that began after it, and all who wait share that one', async () => {
  const { keeper, load, loads } = keeperOf()
  const first = keeper.refresh()
  const later = [keeper.refresh(), keeper.seeRevision(2), keeper.refresh()]
  expect(loads.length).toBe(1)
  load(0).resolve(snapshotOf(1))
  await first
  await Promise.resolve()
  expect(loads.length).toBe(1)
  load(0).resolve(snapshotOf(2))
  await Promise.all(later)
  expect(keeper.current()).toBe('value 2')
  expect(loads).toEqual([])
})

function keeperOf() {
  const loads: PromiseWithResolvers<Snapshot<string>>[] = []
  const errors: unknown[] = []
  const keeper = keepSnapshot({
    initial: 'nothing',
    load() {
      const pending = Promise.withResolvers<Snapshot<string>>()
      loads.push(pending)
      return pending.promise
    },
    report: { failed: (error) => errors.push(error), succeeded: () => errors.splice(0) },
  })
  const load = (at: number): PromiseWithResolvers<Snapshot<string>> => {
    const [pending] = loads.splice(at, 1)
    if (pending === undefined) throw new Error('no load is under way')
    return pending
  }
  return { keeper, load, loads, errors }
}

function snapshotOf(revision: number): Snapshot<string> {
  return { revision, value: `value ${revision}` }
}

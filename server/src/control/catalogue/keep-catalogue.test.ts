import { expect, test } from 'vitest'
import { buildCatalogue, type Catalogue, emptyCatalogue } from '#domain/catalogue/catalogue.ts'
import { createCatalogueKeeper } from './keep-catalogue.ts'

test('nothing is held before the first load, and each load swaps the whole', async () => {
  const { keeper, load } = keeperOf()
  expect(keeper.current()).toBe(emptyCatalogue)
  for (const revision of [1, 2]) {
    const refreshed = keeper.refresh()
    load(0).resolve(buildCatalogue(revision, []))
    await refreshed
    expect(keeper.current().revision).toBe(revision)
  }
})

test('a failing load is reported and keeps the last good snapshot', async () => {
  const { keeper, load, errors } = keeperOf()
  const good = keeper.refresh()
  load(0).resolve(buildCatalogue(7, []))
  await good
  const bad = keeper.seeRevision(8)
  load(0).reject(new Error('the store is away'))
  await bad
  expect(keeper.current().revision).toBe(7)
  expect(errors).toEqual([new Error('the store is away')])
})

test('a revision that is held already loads nothing', async () => {
  const { keeper, loads } = keeperOf()
  await keeper.seeRevision(0)
  expect(loads).toEqual([])
})

test('a refresh during a load waits for a load that began after it, and all who wait share that one', async () => {
  const { keeper, load, loads } = keeperOf()
  const first = keeper.refresh()
  const later = [keeper.refresh(), keeper.seeRevision(2), keeper.refresh()]
  expect(loads.length).toBe(1)
  load(0).resolve(buildCatalogue(1, []))
  await first
  await Promise.resolve()
  expect(loads.length).toBe(1)
  load(0).resolve(buildCatalogue(2, []))
  await Promise.all(later)
  expect(keeper.current().revision).toBe(2)
  expect(loads).toEqual([])
})

function keeperOf() {
  const loads: PromiseWithResolvers<Catalogue>[] = []
  const errors: unknown[] = []
  const keeper = createCatalogueKeeper({
    store: {
      load() {
        const pending = Promise.withResolvers<Catalogue>()
        loads.push(pending)
        return pending.promise
      },
    },
    onError: (error) => errors.push(error),
  })
  const load = (at: number): PromiseWithResolvers<Catalogue> => {
    const [pending] = loads.splice(at, 1)
    if (pending === undefined) throw new Error('no load is under way')
    return pending
  }
  return { keeper, load, loads, errors }
}

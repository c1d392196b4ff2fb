import { expect, it } from 'vitest'
import { createReloader } from './reloader.ts'

/** Reloads that the test completes one at a time. */
function createWorld() {
  const reloads: { paths: readonly string[]; end: () => void }[] = []
  const gathers: (() => void)[] = []
  const reloader = createReloader({
    gather: () => new Promise((resolve) => gathers.push(resolve)),
    reload: (paths) => new Promise((resolve) => reloads.push({ paths, end: resolve })),
  })
  return { reloader, reloads, gathers, paths: () => reloads.map((reload) => reload.paths) }
}

/** Resolves after all promises resolved so far have run their callbacks. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('reloads once for edits that come together', async () => {
  const { reloader, gathers, paths } = createWorld()
  for (const path of ['a.ts', 'b.ts', 'a.ts']) reloader.edited(path)
  expect(gathers).toHaveLength(1)
  gathers[0]?.()
  await settled()
  expect(paths()).toEqual([['a.ts', 'b.ts']])
})

it('reloads once more for edits that come during a reload, and not at the same time', async () => {
  const { reloader, reloads, gathers, paths } = createWorld()
  reloader.edited('a.ts')
  gathers[0]?.()
  await settled()
  reloader.edited('b.ts')
  reloader.edited('c.ts')
  await settled()
  expect(paths()).toEqual([['a.ts']])
  reloads[0]?.end()
  await settled()
  gathers[1]?.()
  await settled()
  expect(paths()).toEqual([['a.ts'], ['b.ts', 'c.ts']])
})

it('waits for the next edit after a reload', async () => {
  const { reloader, reloads, gathers, paths } = createWorld()
  reloader.edited('a.ts')
  gathers[0]?.()
  await settled()
  reloads[0]?.end()
  await settled()
  expect(gathers).toHaveLength(1)
  reloader.edited('a.ts')
  gathers[1]?.()
  await settled()
  expect(paths()).toEqual([['a.ts'], ['a.ts']])
})

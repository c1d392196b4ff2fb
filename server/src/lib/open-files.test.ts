import { expect, it } from 'vitest'
import { openFilesMaxIn, readOpenFilesMax } from './open-files.ts'

it.each([
  ['Max open files            20000                20000                files     \n', 20_000],
  ['Max open files            unlimited            unlimited            files     \n', null],
  ['Max processes             95                   95                   processes \n', null],
])('reads the limit in %j', (limits, max) => {
  expect(
    openFilesMaxIn(`Limit                     Soft Limit           Hard Limit           Units     \n${limits}`),
  ).toBe(max)
})

it('finds the limit of this process', () => {
  expect(readOpenFilesMax()).toBeGreaterThan(100)
})

import { expect, it } from 'vitest'
import { judgeMutated } from './judge-mutated.ts'

const floors = (text: string) => ({ path: 'tools/mutate/floors.tsv', text })
const money = 'server/src/domain/money/new.ts'
const found = (paths: readonly string[], rows: string) =>
  judgeMutated([floors(rows), ...paths.map((path) => ({ path, text: '' }))]).map(({ path, message }) => [path, message])

it.each([
  ['a source with a row', [money], `${money}\tunmeasured\n`],
  ['a source with a floor', [money], `${money}\t90\t97.5\n`],
  ['a test', ['server/src/domain/money/new.test.ts'], ''],
  ['declarations', ['console/src/api/schema.d.ts'], ''],
  ['a function of the console without a test', ['console/src/lib/csv.ts'], ''],
  ['a page', ['console/src/pages/a.tsx', 'console/src/pages/a.test.ts'], ''],
  ['a folder that is not mutated', ['server/src/store/a.ts'], ''],
])('%s is fine', (_what, paths, rows) => {
  expect(found(paths, rows)).toEqual([])
})

it.each([
  [money, 'has no row in tools/mutate/floors.tsv; add it, a tab and `unmeasured`'],
  ['server/src/domain/whole-new-folder/new.ts', 'belongs to no area of tools/mutate/areas.ts'],
])('%s without a row: %s', (path, message) => {
  expect(found([path], '')).toEqual([[path, message]])
})

it('a tested function of the console needs a row', () => {
  const paths = ['console/src/lib/csv.ts', 'console/src/lib/csv.test.ts']
  expect(found(paths, '').map(([path]) => path)).toEqual(['console/src/lib/csv.ts'])
})

it('a row needs its file', () => {
  expect(found([], `${money}\tunmeasured\n`)).toEqual([
    ['tools/mutate/floors.tsv', `has a row for ${money}, which is not mutated`],
  ])
})

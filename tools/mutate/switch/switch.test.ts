import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { repositoryRoot } from '../../lib/repository-root.ts'
import { instrument } from '../instrument.ts'
import { outcomesOf } from '../outcome.ts'
import { readEntries } from './journal.ts'
import { runSwitched } from './run-switched.ts'
import { tryAnew } from './try-anew.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-mutants-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const rule = `export const most = [3]

export function countTo(last: number): number {
  let count = 0
  while (count < last) count += 1
  return count
}

export function isMany(count: number): boolean {
  return count >= 3
}
`
const tests = `import { beforeEach, expect, it } from 'vitest'
import { countTo, isMany, most } from './rule.ts'
let fresh: number[] = []
let calls = 0
beforeEach(() => { fresh = [] })
it('counts, from fresh things', () => {
  fresh.push(countTo(2))
  expect(fresh).toEqual([2])
})
it('three are many', () => expect(isMany(3)).toBe(true))
it('the most are three', () => expect(most[0]).toBe(3))
it('passes once only', () => {
  calls += 1
  expect(isMany(2)).toBe(calls > 1)
})
`

it('runs tests again with each mutant they reach, and trusts no test that does not pass twice', async () => {
  const { files, mutants } = await instrument([{ path: 'server/src/rule.ts', text: rule }])
  mkdirSync(join(root, 'server/src'), { recursive: true })
  mkdirSync(join(root, 'journals'))
  cpSync(join(repositoryRoot, 'tools/mutate/switch'), join(root, 'tools/mutate/switch'), { recursive: true })
  cpSync(join(repositoryRoot, 'tools/lib/cited-ids.ts'), join(root, 'tools/lib/cited-ids.ts'))
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(root, 'server/src/rule.ts'), files[0]?.text ?? '')
  writeFileSync(join(root, 'server/src/rule.test.ts'), tests)
  const folder = join(root, 'journals')
  const path = 'server/src/rule.test.ts'
  const limits = { quickMs: Number.MAX_VALUE, skipsTried: false, triesPerMutant: Number.MAX_VALUE }
  const run = async (order: object) =>
    runSwitched(root, [path], { folder, workers: 1, hasEngines: false, ...limits, ...order })
  // In the first run every test is too slow.
  expect(await run({ quickMs: 0 })).toEqual([])
  expect(readEntries(folder).filter(({ kind }) => kind === 'test')).toEqual([])
  await run({ skipsTried: true })
  await tryAnew({ root, folder, mutants, testsNear: () => [path], workers: 2 })

  const fates = outcomesOf(mutants, readEntries(folder)).map(({ mutant, fate }) => [
    `${mutant.original} => ${mutant.replacement}`,
    fate,
  ])
  expect(Object.fromEntries(fates)).toMatchObject({
    // This mutation takes effect when the module is loaded.
    '[3] => []': 'noticed',
    'count < last => count <= last': 'noticed',
    // This mutation never ends.
    'count += 1 => count -= 1': 'noticed',
    'count >= 3 => count > 3': 'noticed',
    // Only the test that does not pass twice could detect this mutation.
    'count >= 3 => true': 'survived',
  })
})

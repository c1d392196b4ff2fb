import { describe, expect, it } from 'vitest'
import { tokenize } from '../lib/tokenize.ts'
import { chooseTests } from './choose-tests.ts'
import { readReferences } from './read-references.ts'

const aliases = new Map([
  ['#domain/', 'server/src/domain/'],
  ['#test/', 'server/test/'],
])

describe('what a module refers to', () => {
  it('is what it imports, without types and packages', () => {
    const text = `import pg from 'pg'
      import { a } from '#domain/a.ts'
      import type { B } from '#domain/b.ts'
      export type { C } from './c.ts'
      import { type D } from './d.ts'
      import type from './named-type.ts'
      await import('../lazy.ts')`
    expect(referencesOf('server/src/lib/x.ts', text)).toEqual([
      'server/src/domain/a.ts',
      'server/src/lib/d.ts',
      'server/src/lib/named-type.ts',
      'server/src/lazy.ts',
    ])
  })

  it.each([
    ['a file by its address', `new URL('../samples/a.json', import.meta.url)`, 'server/samples/a.json'],
    ['a folder by its address', `new URL('../samples/', import.meta.url)`, 'server/samples'],
    ['the folder of a name made up', 'new URL(`corpus/tier-${tier}.tsv`, import.meta.url)', 'server/test/corpus'],
    ['a joined folder', `join(import.meta.dirname, '..', 'sql')`, 'server/sql'],
    ['the known part of a joined path', `join(import.meta.dirname, 'samples', name)`, 'server/test/samples'],
    ['the repository', `join(import.meta.dirname, '../..')`, ''],
    ['its folder where the place is not known', 'dirname(fileURLToPath(import.meta.url))', 'server/test'],
  ])('is %s', (_what, text, reference) => {
    expect(referencesOf('server/test/x.ts', text)).toEqual([reference])
  })

  it('is nothing that stands in a string or comment', () => {
    expect(
      referencesOf('server/test/x.ts', `const a = "new URL('a', import.meta.url)" // import '#domain/a.ts'`),
    ).toEqual([])
  })
})

describe('the tests that a change concerns', () => {
  const references = new Map([
    ['server/src/domain/a.ts', []],
    ['server/src/domain/a.test.ts', ['server/src/domain/a.ts']],
    ['server/src/bin/weir.ts', ['server/src/domain/a.ts']],
    ['server/test/setup/database.ts', ['server/sql']],
    ['server/test/setup/gateway.ts', ['server/src/bin/weir.ts', 'server/test/setup/database.ts']],
    ['server/test/chat.test.ts', ['server/test/setup/gateway.ts']],
    ['server/test/store.test.ts', ['server/test/setup/database.ts']],
    ['server/test/readme.test.ts', ['']],
  ])
  const testsFor = (...changed: string[]) => namesOf(chooseTests(references, changed))

  it('are those that reach it through any number of imports', () => {
    expect(testsFor('server/src/domain/a.ts')).toEqual(['a', 'chat', 'readme'])
    expect(testsFor('server/src/bin/weir.ts')).toEqual(['chat', 'readme'])
  })

  it('are those that reach its folder', () => {
    expect(testsFor('server/sql/functions/place_holds.sql')).toEqual(['chat', 'readme', 'store'])
  })

  it('are the changed tests themselves', () => {
    expect(testsFor('server/test/store.test.ts')).toEqual(['readme', 'store'])
  })

  it('are those that still refer to a file that is gone', () => {
    const before = new Map([['server/test/a.test.ts', ['server/src/gone.ts']]])
    expect(namesOf(chooseTests(before, ['server/src/gone.ts', 'server/test/gone.test.ts']))).toEqual(['a'])
  })

  it('are none for a file that no test reaches, and none without a change', () => {
    const withoutReader = new Map([['server/test/a.test.ts', ['server/src/a.ts']]])
    expect(namesOf(chooseTests(withoutReader, ['docs/api.md']))).toEqual([])
    expect(testsFor()).toEqual([])
  })

  it('are all where it reaches the engines that every test runs on', () => {
    const engines = 'server/test/setup/engines.ts'
    const withEngines = new Map([...references, [engines, ['server/test/private-postgres.ts']]])
    expect(chooseTests(withEngines, ['server/test/private-postgres.ts'])).toEqual({ kind: 'all', because: engines })
  })

  it.each(['package.json', 'package-lock.json', 'server/package.json', 'server/vitest.config.ts', 'tsconfig.json'])(
    'are all where %s changed',
    (path) => {
      expect(chooseTests(references, ['docs/api.md', path])).toEqual({ kind: 'all', because: path })
    },
  )

  it('near it are the ten that are the fewest references away, without those that read everything', () => {
    const chain = new Map<string, readonly string[]>([['server/test/readme.test.ts', ['']]])
    // Four tests at each distance from a.ts, which affects no other test.
    for (let distance = 1; distance <= 5; distance += 1) {
      const before = distance === 1 ? 'server/src/a.ts' : `server/src/${distance - 1}.ts`
      chain.set(`server/src/${distance}.ts`, [before])
      for (let copy = 0; copy < 4; copy += 1) chain.set(`server/test/${distance}-${copy}.test.ts`, [before])
    }
    const chosen = chooseTests(chain, ['server/src/a.ts'], true)
    expect(new Set(namesOf(chosen).map((name) => name.split('-')[0]))).toEqual(new Set(['1', '2', '3']))
    expect(chosen).toMatchObject({ kind: 'some', leftOut: 9 })
  })
})

function referencesOf(path: string, text: string): string[] {
  return readReferences(tokenize(text), path, aliases)
}

function namesOf(chosen: ReturnType<typeof chooseTests>): string[] {
  const tests = chosen.kind === 'some' ? chosen.tests : []
  return tests.map((path) => /([^/]*)\.test\.ts$/.exec(path)?.[1] ?? path).sort()
}

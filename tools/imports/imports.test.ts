import { describe, expect, it } from 'vitest'
import type { SourceFile } from '../lib/source-file.ts'
import { checkImports } from './check-imports.ts'
import { consoleLayers, layers, toolLayers, trees } from './layers.ts'

describe('a clean tree', () => {
  it('passes', () => {
    expect(rulesBrokenBy({})).toEqual([])
  })

  it('passes with what vendors, stages, the rim and tests are allowed', () => {
    const files = {
      'providers/spec.ts': '',
      'providers/protocols/chat.ts': '',
      'providers/vendors/one/one.ts': `import '../../spec.ts'\nimport '../../protocols/chat.ts'`,
      'pipeline/types.ts': '',
      'pipeline/hold/hold.ts': `import '../types.ts'\nimport './sum.ts'`,
      'pipeline/hold/lease/keeper.ts': `import '../../types.ts'`,
      'pipeline/hold/sum.ts': '',
      'store/pool.ts': `import type { Pool } from 'pg'`,
      'store/postgres/create-pool.ts': `import { Pool } from 'pg'`,
      'store/postgres/with-client.ts': 'pool.connect()',
      'store/postgres/follow-primary.ts': `import { Client } from 'pg'\nnew Client().connect()`,
      'net/client.ts': `import type { Pool } from 'undici'`,
      'bin/weir.ts': `import '#store/pool.ts'\nimport 'ioredis'\nprocess.env.PORT`,
      'config/read.ts': 'process.env',
      'domain/pure.ts': `// Date.now\nnew Date(1)\nconst text = 'Math.random'\nprocess.environment`,
      'domain/pure.test.ts': `import '#store/pool.ts'\nimport 'pg'\nimport '#test/fake.ts'\nDate.now()`,
    }
    expect(rulesBrokenBy(files)).toEqual([])
  })
})

describe('the layer table', () => {
  const names = Object.keys(layers)
  const pairs = Object.entries(layers).flatMap(([from, allowed]) =>
    names
      .filter((to) => to !== from)
      .map((to) => ({ from, to, isAllowed: allowed === 'everything' || allowed.some((name) => name === to) })),
  )

  it.each(pairs)('$from imports $to: $isAllowed', ({ from, to, isAllowed }) => {
    const files = { [`${from}/a.ts`]: `import type { B } from '#${to}/b.ts'`, [`${to}/b.ts`]: '' }
    expect(rulesBrokenBy(files)).toEqual(isAllowed ? [] : ['layer'])
  })

  it('holds for relative paths, re-exports and dynamic imports', () => {
    const target = { 'store/b.ts': '' }
    expect(rulesBrokenBy({ ...target, 'domain/x/a.ts': `import '../../store/b.ts'` })).toEqual(['layer'])
    expect(rulesBrokenBy({ ...target, 'domain/x/a.ts': `export * from '#store/b.ts'` })).toEqual(['layer'])
    expect(rulesBrokenBy({ ...target, 'domain/x/a.ts': `await import('#store/b.ts')` })).toEqual(['layer'])
  })

  it('refuses product code that imports tests', () => {
    expect(rulesBrokenBy({ 'domain/a.ts': `import '#test/fake.ts'` })).toEqual(['layer'])
    expect(rulesBrokenBy({ 'domain/a.ts': `import './b.test.ts'`, 'domain/b.test.ts': '' })).toEqual(['layer'])
  })

  it('refuses files outside the known folders', () => {
    expect(rulesBrokenBy({ 'main.ts': '' })).toEqual(['unknown-folder'])
    expect(rulesBrokenBy({ 'services/a.ts': '' })).toEqual(['unknown-folder'])
  })
})

describe.each([
  { root: 'console/src', table: consoleLayers },
  { root: 'tools', table: toolLayers },
])('the layer table of $root', ({ root, table }) => {
  const folders = Object.entries<readonly string[] | 'everything'>(table).filter(([name]) => name !== '')
  const pairs = folders.flatMap(([from, allowed]) =>
    folders.filter(([to]) => to !== from).map(([to]) => ({ from, to, isAllowed: allowed.includes(to) })),
  )

  it.each(pairs)('$from imports $to: $isAllowed', ({ from, to, isAllowed }) => {
    const files = { [`${root}/${from}/a.ts`]: `import type { B } from '../${to}/b.ts'`, [`${root}/${to}/b.ts`]: '' }
    expect(rulesBrokenIn(files)).toEqual(isAllowed ? [] : ['layer'])
  })
})

describe('all trees', () => {
  it.each(trees)('have layers without a circle: $root', ({ layers: table }) => {
    const reach = (from: string, seen: ReadonlySet<string>): boolean => {
      const allowed = table[from] ?? []
      return allowed !== 'everything' && allowed.some((to) => seen.has(to) || reach(to, new Set([...seen, to])))
    }
    expect(Object.keys(table).filter((name) => reach(name, new Set([name])))).toEqual([])
  })

  it('keep product code apart from the other trees', () => {
    const targets = {
      'server/src/lib/b.ts': '',
      'console/src/lib/b.ts': '',
      'console/src/app/b.ts': '',
      'tools/lib/b.ts': '',
    }
    const broken = (path: string, specifier: string) =>
      rulesBrokenIn({ ...targets, [path]: `import type { B } from '${specifier}'` })
    expect(broken('server/src/bin/a.ts', '../../../tools/lib/b.ts')).toEqual(['layer'])
    expect(broken('console/src/router.tsx', '../../server/src/lib/b.ts')).toEqual(['layer'])
    expect(broken('tools/lib/a.ts', '../../server/src/lib/b.ts')).toEqual(['layer'])
    expect(broken('tools/docs/a.ts', '../../server/src/lib/b.ts')).toEqual([])
    expect(broken('tools/docs/a.ts', '../../console/src/lib/b.ts')).toEqual(['layer'])
    expect(broken('tools/docs-site/a/a.ts', '../../../console/src/lib/b.ts')).toEqual([])
    expect(broken('tools/docs-site/a/a.ts', '../../../console/src/app/b.ts')).toEqual(['layer'])
    expect(broken('server/test/a.ts', '../../tools/lib/b.ts')).toEqual([])
    expect(broken('server/test/a.ts', '../../console/src/lib/b.ts')).toEqual(['layer'])
  })

  it('let the files beside the folders of the console import every folder, and no folder import those', () => {
    const files = { 'console/src/pages/a/route.tsx': '', 'console/src/router.tsx': `import './pages/a/route.tsx'` }
    expect(rulesBrokenIn(files)).toEqual([])
    const upward = { 'console/src/router.tsx': '', 'console/src/app/a.ts': `import '../router.tsx'` }
    expect(rulesBrokenIn(upward)).toEqual(['layer'])
    expect(rulesBrokenIn({ 'tools/a.ts': '' })).toEqual(['unknown-folder'])
  })

  it('have no cycles, through lazy imports and types too', () => {
    const page = 'console/src/pages/keys'
    const cycle = {
      [`${page}/route.tsx`]: `const page = lazy(() => import('./keys-page.tsx'))`,
      [`${page}/keys-page.tsx`]: `import type { KeysSearch } from './route.tsx'`,
    }
    expect(rulesBrokenIn(cycle)).toEqual(['cycle'])
    expect(rulesBrokenIn({ 'tools/lib/a.ts': `import './b.ts'`, 'tools/lib/b.ts': `import './a.ts'` })).toEqual([
      'cycle',
    ])
    const tests = { 'server/test/a.ts': `import '#test/b.ts'`, 'server/test/b.ts': `import './a.ts'` }
    expect(rulesBrokenIn(tests)).toEqual(['cycle'])
  })

  it('have no imports that lead nowhere', () => {
    expect(rulesBrokenIn({ 'console/src/lib/a.ts': `import './gone.ts'` })).toEqual(['missing'])
    expect(rulesBrokenIn({ 'tools/lib/a.test.ts': `import './gone.ts'` })).toEqual(['missing'])
  })
})

describe('further rules', () => {
  it('finds cycles, through types too', () => {
    const files = {
      'domain/a.ts': `import './b.ts'`,
      'domain/b.ts': `import type { C } from './c.ts'`,
      'domain/c.ts': `export * from './a.ts'`,
    }
    expect(rulesBrokenBy(files)).toEqual(['cycle'])
    expect(rulesBrokenBy({ 'domain/a.ts': `import './a.ts'` })).toEqual(['cycle'])
  })

  it('finds every cycle of several', () => {
    const files = {
      'lib/a.ts': `import './b.ts'\nimport './c.ts'`,
      'lib/b.ts': `import './a.ts'`,
      'lib/c.ts': `import './a.ts'`,
    }
    expect(rulesBrokenBy(files)).toEqual(['cycle', 'cycle'])
  })

  it('lets folders of the Postgres store import each other in one direction only', () => {
    const files = {
      'store/postgres/payments/a.ts': `import '../wallets/b.ts'\nimport '../with-client.ts'`,
      'store/postgres/payments/c.ts': '',
      'store/postgres/wallets/b.ts': '',
      'store/postgres/with-client.ts': '',
    }
    const findingsWith = (path: string, text: string) => checkImports(plant({ ...files, [path]: text }), 0).findings
    expect(findingsWith('store/postgres/wallets/d.ts', `import './b.ts'`)).toEqual([])
    expect(findingsWith('store/postgres/wallets/d.ts', `import type { C } from '../payments/c.ts'`)).toEqual([
      {
        rule: 'folder-cycle',
        path: 'server/src/store/postgres/payments/',
        message: 'payments → wallets → payments',
      },
    ])
    const around = { ...files, 'store/postgres/wallets/b.ts': `import '../audit/e.ts'` }
    const audit = { 'store/postgres/audit/e.ts': `import '../payments/c.ts'` }
    expect(rulesBrokenBy({ ...around, ...audit })).toEqual(['folder-cycle'])
    expect(
      rulesBrokenBy({
        'control/a/a.ts': `import '../b/b.ts'`,
        'control/b/b.ts': `import '../a/c.ts'`,
        'control/a/c.ts': '',
      }),
    ).toEqual([])
  })

  it('keeps stages apart', () => {
    const files = { 'pipeline/hold/a.ts': `import '../route/b.ts'`, 'pipeline/route/b.ts': '' }
    expect(rulesBrokenBy(files)).toEqual(['stage'])
    expect(rulesBrokenBy({ ...files, 'pipeline/hold/a.ts': `import '#pipeline/route/b.ts'` })).toEqual(['stage'])
  })

  it('lets a stage import what is nested in it, and nothing nested the stage around it', () => {
    const files = { 'pipeline/hold/a.ts': '', 'pipeline/hold/lease/b.ts': '', 'pipeline/hold/trip/c.ts': '' }
    expect(rulesBrokenBy({ ...files, 'pipeline/hold/a.ts': `import './lease/b.ts'` })).toEqual([])
    expect(rulesBrokenBy({ ...files, 'pipeline/hold/lease/b.ts': `import '../a.ts'` })).toEqual(['stage'])
    expect(rulesBrokenBy({ ...files, 'pipeline/hold/lease/b.ts': `import '../trip/c.ts'` })).toEqual(['stage'])
    expect(rulesBrokenBy({ ...files, 'pipeline/route/d.ts': `import '../hold/lease/b.ts'` })).toEqual(['stage'])
  })

  it('lets only the composers of the pipeline import stages', () => {
    const stage = { 'pipeline/hold/a.ts': '' }
    const importing = `import type { A } from './hold/a.ts'`
    expect(rulesBrokenBy({ ...stage, 'pipeline/run.ts': importing })).toEqual([])
    expect(rulesBrokenBy({ ...stage, 'pipeline/quote.ts': importing })).toEqual([])
    expect(rulesBrokenBy({ ...stage, 'pipeline/create-pipeline.ts': importing })).toEqual([])
    expect(rulesBrokenBy({ ...stage, 'pipeline/types.ts': importing })).toEqual(['stage'])
  })

  it('keeps vendors apart', () => {
    const files = { 'providers/vendors/one/a.ts': `import '../two/b.ts'`, 'providers/vendors/two/b.ts': '' }
    expect(rulesBrokenBy(files)).toEqual(['vendor'])
  })

  it.each([
    'pg',
    'ioredis',
    'undici',
    'pg/lib/client.js',
    'nodemailer',
    'better-auth',
    'better-auth/api',
    '@aws-sdk/client-s3',
  ])('keeps %s at the rim', (name) => {
    expect(rulesBrokenBy({ 'control/a.ts': `import type { Any } from '${name}'` })).toEqual(['package'])
  })

  it('[B4] lets one file ask DNS', () => {
    for (const name of ['node:dns', 'node:dns/promises', 'dns']) {
      expect(rulesBrokenBy({ 'net/a.ts': `import { lookup } from '${name}'` })).toEqual(['package'])
    }
    expect(rulesBrokenBy({ 'net/dns/ask-dns.ts': `import { Resolver } from 'node:dns/promises'` })).toEqual([])
  })

  it('[B2] lets one file make pools of Postgres, and one file take their clients', () => {
    const makers = ["import { Pool } from 'pg'", "import pg from 'pg'", "import { type Pool, Client } from 'pg'"]
    for (const maker of [...makers, "export * from 'pg'", "await import('pg')"]) {
      expect(rulesBrokenBy({ 'store/a.ts': maker })).toEqual(['postgres-client'])
      expect(rulesBrokenBy({ 'bin/a.ts': maker })).toEqual(['postgres-client'])
    }
    for (const folder of ['store', 'bin']) {
      expect(rulesBrokenBy({ [`${folder}/a.ts`]: 'const client = await pool.connect()' })).toEqual(['postgres-client'])
    }
    expect(rulesBrokenBy({ 'store/a.ts': `import type { Pool } from 'pg'`, 'net/a.ts': 'socket.connect(1)' })).toEqual(
      [],
    )
  })

  const impure = ['Date.now()', 'Math.random()', 'new Date()', 'performance.now()', 'setTimeout(run, 1)']
  const pure = ['domain', 'dialects', 'providers', 'errors']
  it.each(pure.flatMap((folder) => impure.map((call) => ({ folder, call }))))('keeps $call out of $folder', (plant) => {
    expect(rulesBrokenBy({ [`${plant.folder}/a.ts`]: `const value = ${plant.call}` })).toEqual(['purity'])
    expect(rulesBrokenBy({ 'net/a.ts': `const value = ${plant.call}` })).toEqual([])
  })

  it('keeps the environment in config and bin', () => {
    for (const folder of ['lib', 'domain', 'http', 'store']) {
      expect(rulesBrokenBy({ [`${folder}/a.ts`]: 'const port = process.env.PORT' })).toEqual(['environment'])
    }
  })

  it('finds imports that lead nowhere, in tests too', () => {
    expect(rulesBrokenBy({ 'lib/a.ts': `import './gone.ts'` })).toEqual(['missing'])
    expect(rulesBrokenBy({ 'lib/a.test.ts': `import '#lib/gone.ts'` })).toEqual(['missing'])
    expect(rulesBrokenBy({ 'bin/a.ts': `import '#nowhere/gone.ts'` })).toEqual(['missing'])
  })

  it('fails when it sees few modules, not counting tests', () => {
    const tree = plant({ 'lib/a.ts': '', 'lib/a.test.ts': '' })
    const everywhere = ['too-few server/src/', 'too-few console/src/', 'too-few tools/']
    expect(fewIn(tree)).toEqual(everywhere)
    expect(fewIn(tree, 2)).toEqual(everywhere)
    expect(fewIn(tree, 1)).toEqual(everywhere.slice(1))
    expect(fewIn(plant({}))).toEqual(everywhere)
  })

  it('says where and why', () => {
    const [finding] = checkImports(plant({ 'lib/a.ts': `\nimport '#bin/b.ts'`, 'bin/b.ts': '' }), 0).findings
    expect(finding).toMatchObject({
      path: 'server/src/lib/a.ts',
      line: 2,
      message: 'lib may not import bin (#bin/b.ts)',
    })
  })
})

describe('the oracle', () => {
  it.each([
    ["import '#domain/access-table.ts'", ['oracle']],
    ["import type { Role } from '../../src/domain/roles.ts'", ['oracle']],
    ["import './read-access.ts'\nimport '#test/fake.ts'\nimport 'node:fs'", []],
  ])('with %j breaks %j', (text, rules) => {
    const oracle = 'server/test/oracle/'
    const files = [
      ...plant({ 'domain/access-table.ts': '', 'domain/roles.ts': '' }),
      { path: `${oracle}read-access.ts`, text: '' },
      { path: `${oracle}access.test.ts`, text },
    ]
    expect(checkImports(files, 0).findings.map(({ rule }) => rule)).toEqual(rules)
  })
})

describe('a test', () => {
  const sources = {
    'domain/limits.ts': 'export const sizeMax: number = 10\nexport const judge = (size: number) => size < 10',
    'domain/words.ts': "const a = 'a'\nexport const words = [a, 'b'] as const\nexport type Word = 'a' | 'b'",
    'domain/table.ts':
      "export const table = { read: { roles: ['admin'] } } as const satisfies Table\nexport function read() {}",
    'domain/schema.ts': 'export const schema = Type.Object({ updated: Type.Boolean() })',
    'domain/price.ts':
      'export const least = nanoUsd(5n)\nexport const zero = nanoUsd(0n)\nexport const none = { a: 0, b: 0n }',
    'domain/set.ts': "export const names: ReadonlySet<string> = new Set(['a'])",
    'dialects/chat.ts': "export const chat: ConversationDialect = { name: 'chat' }",
    'providers/registry.ts': "export const vendors = { a, 'b-c': b }\nexport const one = host({ slug: 'a' })",
    'providers/a/fixtures/stream.ts': "export const stream = 'data: {}'",
  }
  const judge = (text: string, path = 'server/test/a/b.test.ts') =>
    checkImports([...plant(sources), { path, text }], 0).findings

  it.each([
    "import { sizeMax } from '#domain/limits.ts'",
    "import { judge, sizeMax as most } from '#domain/limits.ts'",
    "import { words, type Word } from '#domain/words.ts'",
    "import { table } from '../../src/domain/table.ts'",
    "import { schema } from '#domain/schema.ts'",
    "import { least } from '#domain/price.ts'",
    "import {\n  names,\n} from '#domain/set.ts'",
  ])('takes no expectation from the code it checks: %s', (text) => {
    expect(judge(`\n${text}`)).toMatchObject([{ rule: 'expectation', line: 2 }])
    expect(judge(text, 'server/test/a/world.ts')).toMatchObject([{ rule: 'expectation' }])
    expect(judge(`// Not an expectation: every one of them\n// is tried.\n${text}`)).toEqual([])
    expect(judge(`// Not an expectation\n${text}`)).toHaveLength(1)
    expect(judge(`// Not an expectation: every one is tried.\n\n${text}`)).toHaveLength(1)
  })

  it.each([
    "import { judge } from '#domain/limits.ts'",
    "import { type Word } from '#domain/words.ts'",
    "import type { words } from '#domain/words.ts'",
    "import { read } from '#domain/table.ts'",
    "import { zero, none } from '#domain/price.ts'",
    "import { chat } from '#dialects/chat.ts'",
    "import { vendors, one } from '#providers/registry.ts'",
    "import { stream } from '#providers/a/fixtures/stream.ts'",
  ])('may drive what does something: %s', (text) => {
    expect(judge(text)).toEqual([])
  })
})

function rulesBrokenBy(files: Record<string, string>): string[] {
  return checkImports(plant(files), 0).findings.map(({ rule }) => rule)
}

function fewIn(files: readonly SourceFile[], modulesMin?: number): string[] {
  return checkImports(files, modulesMin).findings.map(({ rule, path }) => `${rule} ${path}`)
}

/** The rules that files break, by their paths from the repository's root. */
function rulesBrokenIn(files: Record<string, string>): string[] {
  const added = Object.entries(files).map(([path, text]) => ({ path, text }))
  return checkImports([...plant({}), ...added], 0).findings.map(({ rule }) => rule)
}

/** A small repository whose server/src contains `files`. */
function plant(files: Record<string, string>): SourceFile[] {
  const aliases = Object.fromEntries(Object.keys(layers).map((name) => [`#${name}/*`, `./src/${name}/*`]))
  const packageJson = JSON.stringify({ imports: { ...aliases, '#test/*': './test/*' } })
  const everything = { 'server/package.json': packageJson, 'server/test/fake.ts': '', ...inSource(files) }
  return Object.entries(everything).map(([path, text]) => ({ path, text }))
}

function inSource(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`server/src/${path}`, text]))
}

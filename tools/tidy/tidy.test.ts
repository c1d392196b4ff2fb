import { describe, expect, it } from 'vitest'
import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { judgeCommentWidth } from './judge-comment-width.ts'
import { judgeDependencies } from './judge-dependencies.ts'
import { judgeFileNames } from './judge-file-names.ts'
import { judgeFolderSize } from './judge-folder-size.ts'
import { judgeLinks } from './judge-links.ts'
import { judgeOrphans } from './judge-orphans.ts'
import { judgeSqlFunctions } from './judge-sql-functions.ts'
import { judgeStages } from './judge-stages.ts'
import { judgeText } from './judge-text.ts'
import { judgeVendors } from './judge-vendors.ts'
import { rules } from './rules.ts'

type Rule = (files: readonly SourceFile[]) => Finding[]
const commands = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`server/src/bin/commands/${index}.ts`, '']))

const comment = (opening: string, columns: number) => `const a = 1\n${opening.padEnd(columns, 'x')}\n`

describe('folder size', () => {
  it('allows 36 files of commands and no more, without their tests', () => {
    expect(judge(judgeFolderSize, { ...commands(36), 'server/src/bin/commands/a.test.ts': '' })).toEqual([])
    expect(messages(judgeFolderSize, commands(37))).toEqual(['37 files, at most 36'])
  })
})

describe('comment width', () => {
  it.each([
    ['a.ts', '// '],
    ['a.tsx', '   * '],
    ['a.ts', '/** '],
    ['server/sql/a.sql', '-- '],
  ])('allows 120 columns and no more in %s', (path, opening) => {
    expect(judge(judgeCommentWidth, { [path]: comment(opening, 120) })).toEqual([])
    expect(messages(judgeCommentWidth, { [path]: comment(opening, 121) })).toEqual([
      'a comment of 121 columns, at most 120',
    ])
  })

  it('leaves code to the formatter', () => {
    expect(
      judge(judgeCommentWidth, { 'a.ts': comment("const text = '", 130), 'docs/a.md': comment('-- ', 130) }),
    ).toEqual([])
  })
})

describe('file names', () => {
  it.each(['lib/utils.ts', 'lib/helpers.test.ts', 'common/a.ts', 'docs/misc.md', 'server/src/lib/index.ts'])(
    'bans %s',
    (path) => {
      expect(paths(judgeFileNames, { [path]: '' })).toEqual([path])
    },
  )

  it('allows the index of a vendor and names that merely contain a banned one', () => {
    expect(
      judge(judgeFileNames, { 'server/src/providers/vendors/acme/index.ts': '', 'lib/common-names.ts': '' }),
    ).toEqual([])
  })
})

describe('text', () => {
  const bannedWords = [
    `// ${'TO'}${'DO'} later`,
    `// ${'FIX'}${'ME'}`,
    `// ${'XX'}${'X'}`,
    `// @ts-${'ignore'}`,
    `open('${'/wo'}${'rk/main'}')`,
    `open('${'/ro'}${'ot/.npmrc'}')`,
    `"resolved": "https://${'registry'}.npmjs.org/pg"`,
    `https://npm.${'artifact'}${'ory'}.example/pg`,
  ]
  it.each(bannedWords)('bans %s anywhere', (content) => {
    expect(judge(judgeText, { 'docs/a.md': `fine\n${content}` })).toMatchObject([{ rule: 'banned-text', line: 2 }])
  })

  it.each(["it.only('a')", "describe.skip('a')", 'const a = b as any', 'const a: any = b'])(
    'bans %s in code',
    (content) => {
      expect(judge(judgeText, { 'a.ts': `\n${content}` })).toMatchObject([{ rule: 'banned-code', line: 2 }])
      expect(judge(judgeText, { 'a.ts': `// ${content}`, 'a.md': content })).toEqual([])
    },
  )

  it('allows what merely resembles it', () => {
    const text = `import { registry } from './registry.ts'\nregistry.vendors.find(a)\nconst b = 'home/wor${'k'}/c'\nlet anything: anyOf`
    expect(judge(judgeText, { 'a.ts': text })).toEqual([])
  })

  it('leaves recorded bytes alone', () => {
    expect(judge(judgeText, { 'server/test/fixtures/a.json': `${'TO'}${'DO'}` })).toEqual([])
  })
})

describe('orphans', () => {
  const server = { 'server/package.json': '{"imports":{"#lib/*":"./src/lib/*"}}' }

  it('finds a file that nobody, or only its own test, imports', () => {
    const files = { ...server, 'server/src/lib/a.ts': '', 'server/src/lib/a.test.ts': `import './a.ts'` }
    expect(paths(judgeOrphans, files)).toEqual(['server/src/lib/a.ts'])
  })

  it('counts aliases, workers and other tests, and asks nothing of bin', () => {
    const files = {
      ...server,
      'server/src/bin/weir.ts': `import '#lib/a.ts'\nnew Worker(new URL('../lib/worker.ts', import.meta.url))`,
      'server/src/lib/a.ts': '',
      'server/src/lib/worker.ts': '',
      'server/src/lib/fake.ts': '',
      'server/test/chat.200.test.ts': `import '#lib/fake.ts'`,
    }
    expect(judge(judgeOrphans, files)).toEqual([])
  })
})

describe('vendors', () => {
  it('finds a vendor that is not registered', () => {
    const files = {
      'server/src/providers/registry.ts': `import { one } from './vendors/one/index.ts'\n// import './vendors/two/index.ts'`,
      'server/src/providers/vendors/one/index.ts': '',
      'server/src/providers/vendors/two/index.ts': '',
      'server/src/providers/protocols/chat.ts': '',
    }
    expect(paths(judgeVendors, files)).toEqual(['server/src/providers/vendors/two'])
  })

  it('finds a special case for one vendor outside its folder', () => {
    const files = {
      'server/src/providers/registry.ts': `import { acme } from './vendors/acme/index.ts'\nconst all = { 'acme-eu': acme }`,
      'server/src/providers/vendors/acme/index.ts': `const acme = { slug: 'acme-eu' }\nconst openai = { slug: 'openai' }`,
      'server/src/providers/protocols/openai/chat.ts': `if (vendor.protocol === 'openai' && vendor.slug === 'acme-eu') return`,
      'server/src/pipeline/route/a.ts': `const careful = new Set(["acme-eu"]) // 'acme-eu'`,
      'server/src/pipeline/route/a.test.ts': `find('acme-eu')`,
    }
    expect(paths(judgeVendors, files)).toEqual([
      'server/src/providers/protocols/openai/chat.ts',
      'server/src/pipeline/route/a.ts',
    ])
  })
})

describe('links', () => {
  it('finds dead relative links in the documents', () => {
    const text = '[a](./gone.md)\n![b](../gone.png "t")\n[c]: gone/\n[d](/gone.md#part)\n[e](../../outside.md)'
    expect(judge(judgeLinks, { 'docs/a.md': text }).map(({ line }) => line)).toEqual([1, 2, 3, 4, 5])
    expect(judge(judgeLinks, { 'README.md': '[a](gone.md)' })).toHaveLength(1)
  })

  it('follows what exists and leaves the rest', () => {
    const text = `[a](b/c.md#part) [d](../README.md) [e](b/) [f](#here) [g](https://example.com/x) [h](mailto:a@b.c)
      \`[i](gone.md)\`\n\`\`\`\n[j](gone.md)\n\`\`\`\n[k](/docs/b) [l](..)`
    expect(judge(judgeLinks, { 'docs/a.md': text, 'docs/b/c.md': '', 'README.md': '' })).toEqual([])
    expect(judge(judgeLinks, { 'server/test/a.md': '[a](gone.md)' })).toEqual([])
  })
})

describe('dependencies', () => {
  const packages = {
    'package.json': '{"name":"weir","devDependencies":{"@types/pg":"1"}}',
    'server/package.json': '{"name":"@weir/server","dependencies":{"pg":"1","weir":"1"}}',
  }

  it('asks for a line each, by whole name', () => {
    const document = '# Why\n| `pg-boss` | jobs |\n- **@types/pg**: types\nWe use pg.'
    expect(messages(judgeDependencies, { ...packages, 'docs/dependencies.md': document })).toEqual([
      'pg has no line in docs/dependencies.md',
    ])
    const complete = `${document}\n| \`pg\` | Postgres |`
    expect(judge(judgeDependencies, { ...packages, 'docs/dependencies.md': complete })).toEqual([])
  })

  it('finds the document missing', () => {
    expect(paths(judgeDependencies, packages)).toEqual(['docs/dependencies.md'])
  })
})

describe('stages', () => {
  const document =
    '| Stage | Refuses |\n|---|---|\n| `hold`: money | 402 |\n| route | 503 |\n\n| Other | x |\n|---|---|\n| no | x |'

  it('finds a folder without a row and a row without a folder', () => {
    const files = {
      'docs/ARCHITECTURE.md': document,
      'server/src/pipeline/hold/a.ts': '',
      'server/src/pipeline/settle/a.ts': '',
    }
    expect(judge(judgeStages, files)).toMatchObject([
      { path: 'server/src/pipeline/settle' },
      { path: 'docs/ARCHITECTURE.md', line: 4, message: 'route is no pipeline folder' },
    ])
  })

  it('passes when both agree, and finds the document missing', () => {
    const folders = {
      'server/src/pipeline/hold/a.ts': '',
      'server/src/pipeline/route/a.ts': '',
      'server/src/pipeline/run.ts': '',
    }
    expect(judge(judgeStages, { 'docs/ARCHITECTURE.md': document, ...folders })).toEqual([])
    expect(judge(judgeStages, folders)).toHaveLength(2)
  })
})

describe('SQL functions', () => {
  const folder = 'server/sql/functions'
  const one = 'CREATE OR REPLACE FUNCTION one() RETURNS integer LANGUAGE sql AS $$ SELECT 1 $$;\n'

  it('are defined once, in the file of their name', () => {
    const text = `-- CREATE FUNCTION in a comment\n${one.replace('SELECT 1', "SELECT format('CREATE FUNCTION two()')")}`
    expect(judge(judgeSqlFunctions, { [`${folder}/one.sql`]: text, 'server/sql/schema.sql': one })).toEqual([])
  })

  it('are found in a migration, in the file of another, twice in one and without OR REPLACE', () => {
    const files = {
      'server/sql/migrations/0001_baseline.sql': `CREATE TABLE t ();\n${one}`,
      [`${folder}/two.sql`]: one,
      [`${folder}/one.sql`]: one + one,
      [`${folder}/three.sql`]: 'CREATE FUNCTION three() RETURNS void AS $$ $$',
    }
    expect(judge(judgeSqlFunctions, files)).toMatchObject([
      { path: 'server/sql/migrations/0001_baseline.sql', line: 2 },
      { path: `${folder}/two.sql`, message: 'one is defined in server/sql/functions/one.sql alone' },
      { path: `${folder}/one.sql`, line: 2, message: 'one is defined a second time' },
      { path: `${folder}/three.sql`, message: 'three is defined by CREATE OR REPLACE' },
    ])
  })

  it('are missed in a file of the folder without one, and found in the code of the product', () => {
    const files = {
      [`${folder}/empty.sql`]: '-- nothing',
      'server/src/store/a.ts': `pool.query(\`${one}\`)`,
      'server/test/a.ts': `pool.query(\`${one}\`)`,
    }
    expect(paths(judgeSqlFunctions, files)).toEqual([`${folder}/empty.sql`, 'server/src/store/a.ts'])
  })
})

it('applies every rule', () => {
  expect(rules).toHaveLength(17)
})

function judge(rule: Rule, files: Record<string, string>): Finding[] {
  return rule(Object.entries(files).map(([path, text]) => ({ path, text })))
}

const paths = (rule: Rule, files: Record<string, string>) => judge(rule, files).map(({ path }) => path)
const messages = (rule: Rule, files: Record<string, string>) => judge(rule, files).map(({ message }) => message)

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { type CopiedTree, copyTree } from '../lib/copy-tree.ts'
import { runCommand } from '../lib/run-command.ts'
import { isTest, isTypeScript } from '../lib/source-file.ts'
import { applyDiff } from './apply-diff.ts'
import { followRecipe, followRecipes, readRecipes } from './follow-recipes.ts'
import { mergeCommands } from './merge-commands.ts'
import { readCommands } from './read-recipe.ts'
import { rename } from './rename.ts'

const recipes = readRecipes()
const blocks = recipes.flatMap((recipe) => recipe.blocks)

/** All recipes run in one copy of the tree, because each must also work after the others. */
describe('the recipes', () => {
  let tree: CopiedTree
  let before: ReadonlyMap<string, string>

  beforeAll(() => {
    tree = copyTree()
    before = new Map(tree.files.map(({ path, text }) => [path, text]))
  })
  afterAll(() => tree.remove())

  it('exist for everything that is added often', () => {
    expect(recipes.map(({ name }) => name).sort()).toEqual([
      'add-a-console-page',
      'add-a-field-to-a-key',
      'add-a-field-to-an-organization',
      'add-a-limit-period',
      'add-a-media-endpoint',
      'add-a-media-vendor',
      'add-a-protocol',
      'add-a-spend-limit',
      'add-a-vendor',
      'add-an-endpoint',
      'add-an-error',
      'add-an-inference-endpoint',
      'import-a-catalogue',
    ])
  })

  it.each(recipes)('$name says what to write, and where', (recipe) => {
    expect(followRecipe(recipe, before).size).toBeGreaterThan(0)
  })

  it.each([
    ['add-a-field-to-an-organization', 8],
    ['add-a-limit-period', 6],
    ['add-a-field-to-a-key', 9],
  ])('%s touches %i files at most beside generated ones', (name, most) => {
    const paths = recipes.find((recipe) => recipe.name === name)?.blocks.map(({ path }) => path) ?? []
    expect(paths).not.toEqual([])
    expect(new Set(paths).size).toBeLessThanOrEqual(most)
  })

  it.each(recipes)('$name still applies after it was followed, for the same thing or another', (recipe) => {
    const followed = followRecipe(recipe, before)
    expect([...followRecipe(recipe, new Map([...before, ...followed]))]).toEqual([])
    const elsewhere = followRecipe(rename(recipe), before)
    const again = followRecipe(recipe, new Map([...before, ...elsewhere]))
    const paths = [...followed.keys()].map(withoutNumber)
    expect([...again.keys()].map(withoutNumber)).toEqual(expect.arrayContaining(paths))
  })

  it.each([
    ['npm run docs', ['tools/docs/generate.ts', '--check']],
    ['npm run api-types', ['tools/api-types/check.ts']],
  ])('that do not run %s leave its files up to date', async (command, check) => {
    const without = recipes.filter(({ commands }) => !commands.includes(command))
    const followed = followRecipes(without, before)
    for (const [path, text] of followed) tree.write(path, text)
    const { code, output } = await runCommand([process.execPath, ...check], { cwd: tree.root })
    for (const path of followed.keys()) tree.restore(path)
    expect(code, `${output}${without.map(({ name }) => name).join(', ')}: one of these needs ${command}`).toBe(0)
  })

  it('that change the schema run npm run schema', () => {
    const changing = recipes.filter(({ blocks: own }) => own.some(({ path }) => path.startsWith('server/sql/')))
    expect(changing.map(({ name, commands }) => [name, commands.includes('npm run schema')])).toEqual(
      changing.map(({ name }) => [name, true]),
    )
  })

  it('of code end with a check and their own tests', () => {
    const ofCode = recipes.filter(({ blocks: own }) => own.some(({ path }) => isTypeScript(path)))
    for (const { name, commands, blocks: own } of ofCode) {
      const filters = commands.flatMap((command) => /^npm test -- (.+)$/.exec(command)?.[1]?.split(' ') ?? [])
      expect(commands, name).toContain('npm run check')
      for (const path of own.map((block) => block.path).filter((path) => isTest(path) && !path.includes('.e2e.'))) {
        expect(
          filters.some((filter) => path.includes(filter)),
          `${name} runs ${path}`,
        ).toBe(true)
      }
    }
  })

  it('show a catalogue file that is accepted', () => {
    const example: unknown = JSON.parse(blocks.find(({ path }) => path === 'models.json')?.text ?? '')
    const parsed = parseCatalogueFile(example)
    expect(parsed).toMatchObject({ accepted: true })
    const ids = parsed.accepted ? parsed.rows.map(({ id, offers }) => [id, offers.map((offer) => offer.provider)]) : []
    expect(ids).toEqual([
      ['openai/gpt-5.2', ['openai']],
      ['openai/gpt-oss-20b', ['groq', 'deepinfra']],
    ])
  })
})

function withoutNumber(path: string): string {
  return path.replace(/\/\d{4}_/, '/NNNN_')
}

describe('commands', () => {
  it('of several recipes run once, tests last and together', () => {
    const commands = [
      'npm run docs',
      'npm run check',
      'npm test -- a b',
      'npm run schema',
      'npm run docs',
      'npm test -- b c',
    ]
    expect(mergeCommands(commands)).toEqual(['npm run docs', 'npm run schema', 'npm run check', 'npm test -- a b c'])
  })

  it('are the lines of shell blocks, without comments', () => {
    expect(readCommands('```sh\na && b\n\nc --d # e\n```\n\n```ts f.ts\ng\n```\n')).toEqual(['a', 'b', 'c --d'])
  })
})

describe('a migration', () => {
  const recipe = {
    name: 'add-a-thing',
    blocks: [{ kind: 'file', path: 'sql/NNNN_b.sql', text: 'b' }],
    commands: [],
  } as const

  it('gets the next number', () => {
    const tree = new Map([
      ['sql/0001_a.sql', ''],
      ['sql/0003_c.sql', ''],
    ])
    expect([...followRecipe(recipe, tree).keys()]).toEqual(['sql/0004_b.sql'])
  })

  it('keeps the number that it has', () => {
    const tree = new Map([
      ['sql/0002_b.sql', 'b'],
      ['sql/0003_c.sql', ''],
    ])
    expect([...followRecipe(recipe, tree).keys()]).toEqual([])
  })
})

describe('a diff', () => {
  it('changes the one place that it describes', () => {
    expect(applyDiff('a\nb\nc\n', ' b\n+x\n@@\n-a\n+A\n')).toBe('A\nb\nx\nc\n')
  })

  it('changes nothing where it was applied', () => {
    expect(applyDiff('a\nb\nx\nc\n', ' b\n+x\n')).toBe('a\nb\nx\nc\n')
  })

  it('that fits no more names the recipe and the file', () => {
    const recipe = {
      name: 'add-a-thing',
      blocks: [{ kind: 'diff', path: 'a.ts', text: ' b\n+x\n' }],
      commands: [],
    } as const
    expect(() => followRecipe(recipe, new Map([['a.ts', 'a\n']]))).toThrow(
      'docs/recipes/add-a-thing.md no longer fits a.ts: edit the recipe',
    )
    expect(() => followRecipe(recipe, new Map())).toThrow('does not exist')
  })

  it('is refused when its place is missing or not the only one', () => {
    expect(() => applyDiff('a\n', ' b\n+x\n')).toThrow('found 0 times')
    expect(() => applyDiff('b\na\nb\n', ' b\n+x\n')).toThrow('found 2 times')
    expect(() => applyDiff('b\n', 'b\n+x\n')).toThrow('starts with none of')
  })
})

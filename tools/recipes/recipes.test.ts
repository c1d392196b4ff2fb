import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { typesCommand } from '../check/types-command.ts'
import { checkImports } from '../imports/check-imports.ts'
import { formatFinding } from '../lib/finding.ts'
import { runCommand } from '../lib/run-command.ts'
import { isTest, isTypeScript, type SourceFile } from '../lib/source-file.ts'
import { rules } from '../tidy/rules.ts'
import { applyDiff } from './apply-diff.ts'
import { type CopiedTree, copyTree } from '../lib/copy-tree.ts'
import { followRecipe, readRecipes } from './follow-recipes.ts'
import { rename } from './rename.ts'

const recipes = readRecipes()
const blocks = recipes.flatMap((recipe) => recipe.blocks)

/** All recipes are followed in one copy of the tree, since each must also leave room for the others. */
describe('the recipes', () => {
  let tree: CopiedTree
  const changed = new Map<string, string>()
  const before = new Map<string, string>()

  beforeAll(() => {
    tree = copyTree()
    for (const { path, text } of tree.files) before.set(path, text)
  })
  afterAll(() => tree.remove())

  it('exist for everything that is added often', () => {
    expect(recipes.map(({ name }) => name).sort()).toEqual([
      'add-a-field-to-an-organization',
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
    expect(recipe.blocks).not.toEqual([])
    for (const [path, text] of followRecipe(recipe, new Map([...before, ...changed]))) {
      changed.set(path, text)
      tree.write(path, text)
    }
  })

  it('spell a field of an organization in nine files at most, with the generated schema', () => {
    const field = recipes.find(({ name }) => name === 'add-a-field-to-an-organization')?.blocks ?? []
    expect(new Set([...field.map(({ path }) => path), 'server/sql/schema.sql']).size).toBeLessThanOrEqual(9)
  })

  it.each(recipes)('$name still applies after it was followed, for the same thing or another', (recipe) => {
    const followed = followRecipe(recipe, before)
    expect([...followRecipe(recipe, new Map([...before, ...followed]))]).toEqual([])
    const elsewhere = followRecipe(rename(recipe), before)
    const again = followRecipe(recipe, new Map([...before, ...elsewhere]))
    expect([...again.keys()]).toEqual(expect.arrayContaining([...followed.keys()]))
  })

  it('lead to code that is formatted, linted and typed', async () => {
    const paths = [...changed.keys()].filter(isTypeScript)
    const verdicts = await Promise.all([
      runCommand(['biome', 'format', ...paths], { cwd: tree.root }),
      runCommand(['oxlint', '--deny-warnings', ...paths], { cwd: tree.root }),
      runCommand(typesCommand(), { cwd: tree.root }),
    ])
    expect(verdicts.filter(({ code }) => code !== 0).map(({ output }) => output)).toEqual([])
  })

  it('keep to the import rule and stay tidy', () => {
    const followed: SourceFile[] = [...new Map([...before, ...changed])].map(([path, text]) => ({ path, text }))
    expect(checkImports(followed).findings.map(formatFinding)).toEqual([])
    const found = judgeTidiness(followed)
    // The tree is read a second time only where something was found, to tell whether it was there before.
    const known = found.length === 0 ? [] : judgeTidiness(tree.files)
    expect(found.filter((finding) => !known.includes(finding))).toEqual([])
  })

  it('have their rows in the generated documents', async () => {
    const generate = await runCommand([process.execPath, 'tools/docs/generate.ts'], { cwd: tree.root })
    expect(generate.output).toBe('')
    const read = (path: string) => readFileSync(join(tree.root, path), 'utf8')
    expect(read('docs/errors.md')).toContain('`too_many_messages`')
    expect(read('docs/scopes.md')).toContain('`user_day`')
  })

  it('pass their own tests', async () => {
    const paths = blocks.map(({ path }) => path).filter(isTest)
    expect(paths).toHaveLength(8)
    // The tests over all vendors belong to the vendor's recipe.
    const command = ['vitest', 'run', ...paths.map((path) => posix.relative('server', path)), 'src/providers']
    const { code, output } = await runCommand(command, { cwd: join(tree.root, 'server') })
    expect(code, output).toBe(0)
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

function judgeTidiness(files: readonly SourceFile[]): string[] {
  return rules.flatMap((rule) => rule(files)).map(formatFinding)
}

describe('a diff', () => {
  it('changes the one place that it describes', () => {
    expect(applyDiff('a\nb\nc\n', ' b\n+x\n@@\n-a\n+A\n')).toBe('A\nb\nx\nc\n')
  })

  it('changes nothing where it was applied', () => {
    expect(applyDiff('a\nb\nx\nc\n', ' b\n+x\n')).toBe('a\nb\nx\nc\n')
  })

  it('that fits no more names the recipe and the file', () => {
    const recipe = { name: 'add-a-thing', blocks: [{ kind: 'diff', path: 'a.ts', text: ' b\n+x\n' }] } as const
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

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { applyDiff } from './apply-diff.ts'
import { type RecipeBlock, readCommands, readRecipe } from './read-recipe.ts'

export interface Recipe {
  /** Name of the document without its extension. */
  readonly name: string
  readonly blocks: readonly RecipeBlock[]
  /** The commands of the shell blocks, in their order. */
  readonly commands: readonly string[]
}

const folder = 'docs/recipes'

export function readRecipes(): Recipe[] {
  return readdirSync(join(repositoryRoot, folder)).map((name) => {
    const document = readFileSync(join(repositoryRoot, folder, name), 'utf8')
    return { name: basename(name, '.md'), blocks: readRecipe(document), commands: readCommands(document) }
  })
}

/**
 * The files that a recipe changes in a tree, with their new texts. A recipe that has already been followed changes
 * nothing.
 */
export function followRecipe({ name, blocks }: Recipe, tree: ReadonlyMap<string, string>): Map<string, string> {
  const changed = new Map<string, string>()
  for (const { kind, path: written, text } of blocks) {
    const path = numberedPath(written, [...tree.keys(), ...changed.keys()])
    const old = changed.get(path) ?? tree.get(path)
    const next = kind === 'diff' ? change(name, path, old, text) : text
    if (kind === 'file' && old !== undefined && old !== text) throw misfit(name, path, 'exists with another text')
    if (next !== old) changed.set(path, next)
  }
  return changed
}

/** The files that differ after several recipes were followed one after another. */
export function followRecipes(recipes: readonly Recipe[], tree: ReadonlyMap<string, string>): Map<string, string> {
  const changed = new Map<string, string>()
  for (const recipe of recipes) {
    for (const [path, text] of followRecipe(recipe, new Map([...tree, ...changed]))) changed.set(path, text)
  }
  return changed
}

/** The path of a migration, whose number a recipe writes as `NNNN`: the one that it has, or else the next. */
function numberedPath(written: string, paths: readonly string[]): string {
  const [start, end] = written.split('/NNNN_')
  if (start === undefined || end === undefined) return written
  const siblings = paths.flatMap((path) => {
    const [, number, rest] = path.startsWith(`${start}/`) ? (/^(\d{4})_(.+)$/.exec(basename(path)) ?? []) : []
    return number === undefined ? [] : [{ number: Number(number), path, rest }]
  })
  const next = Math.max(0, ...siblings.map(({ number }) => number)) + 1
  return siblings.find(({ rest }) => rest === end)?.path ?? `${start}/${String(next).padStart(4, '0')}_${end}`
}

function change(name: string, path: string, old: string | undefined, diff: string): string {
  if (old === undefined) throw misfit(name, path, 'does not exist')
  try {
    return applyDiff(old, diff)
  } catch (error) {
    throw misfit(name, path, error instanceof Error ? error.message : String(error))
  }
}

function misfit(name: string, path: string, why: string): Error {
  return new Error(`${folder}/${name}.md no longer fits ${path}: edit the recipe to match the code. ${why}`)
}

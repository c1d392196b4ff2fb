import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { applyDiff } from './apply-diff.ts'
import { type RecipeBlock, readRecipe } from './read-recipe.ts'

export interface Recipe {
  /** Name of the document without its extension. */
  readonly name: string
  readonly blocks: readonly RecipeBlock[]
}

const folder = 'docs/recipes'

export function readRecipes(): Recipe[] {
  return readdirSync(join(repositoryRoot, folder)).map((name) => ({
    name: basename(name, '.md'),
    blocks: readRecipe(readFileSync(join(repositoryRoot, folder, name), 'utf8')),
  }))
}

/**
 * The files that a recipe changes in a tree, with their new texts. A recipe that has already been followed changes
 * nothing.
 */
export function followRecipe({ name, blocks }: Recipe, tree: ReadonlyMap<string, string>): Map<string, string> {
  const changed = new Map<string, string>()
  for (const { kind, path, text } of blocks) {
    const old = changed.get(path) ?? tree.get(path)
    const next = kind === 'diff' ? change(name, path, old, text) : text
    if (kind === 'file' && old !== undefined && old !== text) throw misfit(name, path, 'exists with another text')
    if (next !== old) changed.set(path, next)
  }
  return changed
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

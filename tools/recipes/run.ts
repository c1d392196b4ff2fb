import { createEmptyDatabase } from '../../server/test/setup/database.ts'
import startEngines from '../../server/test/setup/engines.ts'
import { copyTree } from '../lib/copy-tree.ts'
import { runCommand } from '../lib/run-command.ts'
import { followRecipe, type Recipe, readRecipes } from './follow-recipes.ts'
import { recipeEnvironment } from './recipe-environment.ts'

/**
 * `npm run recipes [-- NAME…]`: follows each recipe alone in a clean copy of the tree, and runs its commands in their
 * order. The test of the recipes follows them all in one copy instead, and runs each command once.
 */
const names = process.argv.slice(2)
const recipes = readRecipes().filter(({ name }) => names.length === 0 || names.includes(name))
const endEngines = await startEngines()
let failed = 0
try {
  for (const recipe of recipes) if (!(await holds(recipe))) failed += 1
} finally {
  await endEngines()
}
console.log(`${recipes.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && recipes.length > 0 ? 0 : 1

async function holds(recipe: Recipe): Promise<boolean> {
  const tree = copyTree()
  const database = await createEmptyDatabase()
  try {
    const files = new Map(tree.files.map(({ path, text }) => [path, text]))
    for (const [path, text] of followRecipe(recipe, files)) tree.write(path, text)
    const env = recipeEnvironment(database.url)
    // The rules read the files that git lists, and the commands of operators need a migrated database.
    for (const command of ['git init --quiet', 'npm run weir -- migrate --no-catalogue', ...recipe.commands]) {
      const { code, output } = await runCommand(['sh', '-c', command], { cwd: tree.root, env })
      console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${recipe.name}: ${command}`)
      if (code !== 0) console.log(output.trim().replace(/^/gm, '  '))
      if (code !== 0) return false
    }
    return true
  } finally {
    await database.drop()
    tree.remove()
  }
}

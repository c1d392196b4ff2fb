import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createEmptyDatabase } from '../../server/test/setup/database.ts'
import startEngines from '../../server/test/setup/engines.ts'
import { type CopiedTree, copyTree } from '../lib/copy-tree.ts'
import { runCommand } from '../lib/run-command.ts'
import { followRecipes, type Recipe, readRecipes } from './follow-recipes.ts'
import { mergeCommands } from './merge-commands.ts'
import { recipeEnvironment } from './recipe-environment.ts'

/**
 * `npm run recipes [-- NAME…]`: follows each recipe alone in a clean copy of the tree, and runs its commands in their
 * order. Without names, or with `together`, it also follows them all in one copy and runs each command once.
 */
/** The rows that the commands of all recipes write into the generated documents. */
const rowsOfAll: readonly (readonly [path: string, text: string])[] = [
  ['docs/errors.md', '`too_many_messages`'],
  ['docs/scopes.md', '`organization_day`'],
  ['docs/scopes.md', '`key_year`'],
  ['docs/providers.md', '`acme`'],
]

const names = process.argv.slice(2)
const isChosen = (name: string): boolean => names.length === 0 || names.includes(name)
const recipes = readRecipes()
const runs = recipes.filter(({ name }) => isChosen(name)).map((recipe) => () => holds(recipe.name, [recipe], []))
const engines = await startEngines()
let failed = 0
if (isChosen('together')) runs.push(() => holds('together', recipes, rowsOfAll))
try {
  for (const run of runs) if (!(await run())) failed += 1
} finally {
  await engines()
}
console.log(`${runs.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 && runs.length > 0 ? 0 : 1

/** Follows recipes in one copy and runs their commands. Then the copy must have these texts in its documents. */
async function holds(name: string, followed: readonly Recipe[], texts: typeof rowsOfAll): Promise<boolean> {
  const tree = copyTree()
  const database = await createEmptyDatabase()
  try {
    const files = new Map(tree.files.map(({ path, text }) => [path, text]))
    for (const [path, text] of followRecipes(followed, files)) tree.write(path, text)
    const commands = followed.flatMap((recipe) => recipe.commands)
    // The rules read the files that git lists, and the commands of operators need a migrated database.
    const first = ['git init --quiet', 'npm run weir -- migrate --no-catalogue']
    const merged = followed.length === 1 ? commands : mergeCommands(commands)
    for (const command of [...first, ...merged]) {
      if (!(await succeeds(name, command, { tree, databaseUrl: database.url }))) return false
    }
    const missing = texts.filter(([path, text]) => !readFileSync(join(tree.root, path), 'utf8').includes(text))
    for (const [path, text] of missing) console.log(`FAILED  ${name}: ${path} lacks ${text}`)
    return missing.length === 0
  } finally {
    await database.drop()
    tree.remove()
  }
}

async function succeeds(
  name: string,
  command: string,
  { tree, databaseUrl }: { tree: CopiedTree; databaseUrl: string },
): Promise<boolean> {
  const env = recipeEnvironment(databaseUrl)
  const { code, output } = await runCommand(['sh', '-c', command], { cwd: tree.root, env })
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name}: ${command}`)
  if (code !== 0) console.log(output.trim().replace(/^/gm, '  '))
  return code === 0
}

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../../tools/lib/repository-root.ts'
import { runCommand } from '../../tools/lib/run-command.ts'
import { buildConsole } from './setup/build-console.ts'

/**
 * `npm run console [-- --all] [-- --build] [-- --built] [-- names of tests]`: builds the console, and the documentation
 * if a test opens it, and drives them with a real browser against a real gateway, worker, Postgres, Redis and mail
 * server. `--all` also checks the colours of the dark theme and takes a screenshot of every page, light and dark, wide
 * and narrow; `--build` only builds, and `--built` uses the existing builds.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    build: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
  },
})
if (values.all) rmSync(join(repositoryRoot, '.weir', 'console', 'pictures'), { recursive: true, force: true })
const build = values.built ? 0 : await buildAll()
const cwd = join(repositoryRoot, 'console')
const env: Record<string, string> = values.all ? { WEIR_TEST_CONSOLE_ALL: 'true' } : {}
process.exitCode = build !== 0 || values.build ? build : await drive()

async function drive(): Promise<number> {
  return (await runCommand(['vitest', 'run', ...positionals], { cwd, env, show: true })).code
}

async function buildAll(): Promise<number> {
  const code = await buildConsole()
  const opensDocs = positionals.length === 0 || positionals.some((name) => 'docs.e2e.test.ts'.includes(name))
  if (code !== 0 || !opensDocs) return code
  return (await runCommand(['npm', 'run', '--silent', 'docs:build'], { cwd: repositoryRoot, show: true })).code
}

import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'

/** The folders of the built console and documentation. */
export type Sites = { readonly console: string; readonly docs: string }

/** Source paths in the repository and target paths in the build, where `built-program-files.ts` expects them. */
const copies = {
  'tools/build/weir.js': 'bin/weir.js',
  'tools/build/map-stacks.js': 'bin/map-stacks.js',
  'server/src/bin/require-node.js': 'bin/require-node.js',
  'server/sql/migrations': 'sql/migrations',
  'server/sql/functions': 'sql/functions',
  'server/catalogue/starter.json': 'catalogue/starter.json',
  'server/test/samples/catalogue.json': 'catalogue/demo.json',
  'tools/build/README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  NOTICE: 'NOTICE',
} as const

/** Copies every file of the build that is not bundled code, and writes its `package.json`. */
export function copyProgramFiles(folder: string, sites: Sites): void {
  mkdirSync(folder, { recursive: true })
  for (const [from, to] of Object.entries(copies)) {
    cpSync(join(repositoryRoot, from), join(folder, to), { recursive: true })
  }
  for (const [name, site] of Object.entries(sites)) {
    if (!existsSync(join(site, 'index.html'))) throw new Error(`${site} is not built: npm run ${name}:build`)
    cpSync(site, join(folder, name), { recursive: true })
  }
  chmodSync(join(folder, 'bin/weir.js'), 0o755)
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(packageFile(), null, 2)}\n`)
}

/**
 * The `package.json` of the published package. It has no dependencies: their code is part of the build, in the versions
 * of our lock file.
 */
function packageFile(): Record<string, unknown> {
  const text = readFileSync(join(repositoryRoot, 'package.json'), 'utf8')
  const { name, version, description, license, type, engines } = JSON.parse(text)
  // Everything except compiled modules, which only work for the Node version and user that built them.
  return {
    name,
    version,
    description,
    license,
    type,
    engines,
    bin: { weir: 'bin/weir.js' },
    files: ['*', '!compile-cache'],
  }
}

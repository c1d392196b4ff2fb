import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { installLocked } from '../lib/install-locked.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { readDocument } from './read-document.ts'
import { typesFile, typesOf } from './types-file.ts'

/**
 * `npm run api-types` writes the API types from the gateway's own OpenAPI document. The generator needs a TypeScript
 * version that cannot be installed beside ours, so this folder has its own lock file.
 */
const tool = join(repositoryRoot, 'tools/api-types')
await installLocked(tool)
const document = await readDocument()
const folder = mkdtempSync(join(tmpdir(), 'weir-api-types-'))
try {
  const source = join(folder, 'openapi.json')
  const output = join(folder, 'schema.d.ts')
  writeFileSync(source, document)
  const program = join(tool, 'node_modules/openapi-typescript/bin/cli.js')
  // A request may omit a field with a default.
  const options = ['--default-non-nullable', 'false', '--root-types', '--root-types-no-schema-prefix']
  const { code, output: said } = await runCommand([process.execPath, program, source, '--output', output, ...options], {
    cwd: tool,
  })
  if (code !== 0) throw new Error(`openapi-typescript failed:\n${said}`)
  mkdirSync(dirname(typesFile), { recursive: true })
  writeFileSync(typesFile, typesOf({ document, types: readFileSync(output, 'utf8') }))
} finally {
  rmSync(folder, { recursive: true })
}

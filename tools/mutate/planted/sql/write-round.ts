import { basename, posix } from 'node:path'
import type { SourceFile } from '../../../lib/source-file.ts'
import type { Edit } from '../../lib/edit.ts'

/** Below `server/`, in a copy of the tree alone. */
const folder = 'server/test/planted'

/** In the copy, every fresh database of a test gets what its process has planted. */
export const databaseEdit: Edit = {
  file: 'server/test/setup/database.ts',
  find: "pool.on('connect', (client) => client.on('error', () => {}))\n",
  replace:
    "pool.on('connect', (client) => client.on('error', () => {}))\n  await pool.query(globalThis.plantedSql ?? '')\n",
}

/**
 * A test file that plants a change and then is another test file. Node imports a file anew for each question behind its
 * name, and whatever that imports once, so hundreds of changes share one start of the gateway's modules. The first red
 * test is enough.
 */
export function writeRound(name: string, { test, sql }: { test: string; sql: string }): SourceFile {
  const text = `import * as fc from 'fast-check'
import { beforeAll, beforeEach } from 'vitest'

fc.configureGlobal({ seed: 1, endOnFailure: true })
const plant = () => { globalThis.plantedSql = ${JSON.stringify(sql)} }
plant()
beforeAll(plant)
let isNoticed = false
beforeEach(({ skip, onTestFailed }) => {
  onTestFailed(() => { isNoticed = true })
  skip(isNoticed)
})
await import(${JSON.stringify(`${posix.relative(folder, test)}?planted=${name}`)})
`
  return { path: posix.join(folder, `${name}.test.ts`), text }
}

/** The name that the file of a round was written for. */
export function nameInRound(path: string): string {
  return basename(path, '.test.ts')
}

import { basename, posix } from 'node:path'
import type { SourceFile } from '../../../lib/source-file.ts'
import type { Edit } from '../../lib/edit.ts'

/** Below `server/`, only in a copy of the tree. */
const folder = 'server/test/planted'

/** In the copy, every new test database gets the change that its process has planted. */
export const databaseEdit: Edit = {
  file: 'server/test/setup/database.ts',
  find: 'STRATEGY file_copy`)\n  })\n  return openDatabase(name)\n',
  replace:
    "STRATEGY file_copy`)\n  })\n  const planted = openDatabase(name)\n  await planted.pool.query(globalThis.plantedSql ?? '')\n  return planted\n",
}

/**
 * A test file that plants a change and then imports another test file. Node re-imports a file for each query string
 * after its name, but imports the file's dependencies once, so hundreds of changes share one start of the gateway's
 * modules. The run stops at the first failed test.
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

/** The name for which a round's file was written. */
export function nameInRound(path: string): string {
  return basename(path, '.test.ts')
}

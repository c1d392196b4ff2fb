import { writeFile } from 'node:fs/promises'
import { createPrivatePostgres } from '../../server/test/drills/setup/private-postgres.ts'
import { createTestDatabase } from '../../server/test/setup/database.ts'
import { findEngineFolder } from '../../server/test/setup/find-engine-folder.ts'
import { dumpSchema } from './dump-schema.ts'
import { schemaFile } from './schema-file.ts'

// `npm run schema` migrates an empty database and writes its schema to server/sql/schema.sql. It starts its own
// Postgres; `WEIR_TEST_POSTGRES_URL` names a running one to use instead.
const isGiven = process.env['WEIR_TEST_POSTGRES_URL'] !== undefined
const engine = isGiven ? null : await createPrivatePostgres({ parentFolder: await findEngineFolder() })
try {
  if (engine !== null) process.env['WEIR_TEST_POSTGRES_URL'] = engine.url
  const database = await createTestDatabase()
  try {
    await writeFile(schemaFile, await dumpSchema(database.url))
  } finally {
    await database.drop()
  }
} finally {
  await engine?.remove()
}

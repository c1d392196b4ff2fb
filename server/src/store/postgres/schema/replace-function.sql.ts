import type { PoolClient } from 'pg'
import type { SqlFile } from './schema-source.ts'

// The result, the parameter names or the defaults differ.
const invalidFunctionDefinition = '42P13'

/**
 * Puts a definition into force. `CREATE OR REPLACE` keeps the function's identity, so running calls end with the old
 * definition and later calls begin with the new one. If result or parameters differ, Postgres rejects the statement or
 * creates a second function of the name; then the old function is dropped, unless a table still needs it, which is an
 * error.
 */
export async function replaceFunction(client: PoolClient, { name, text }: SqlFile): Promise<void> {
  const before = await readSignatures(client, name)
  await client.query('SAVEPOINT replacing')
  try {
    await client.query(text)
  } catch (error) {
    if (before.size === 0 || !hasCode(error, invalidFunctionDefinition)) throw error
    await client.query('ROLLBACK TO SAVEPOINT replacing')
    await dropFunctions(client, before.values())
    await client.query(text)
  }
  await client.query('RELEASE SAVEPOINT replacing')
  const after = await readSignatures(client, name)
  if (after.size === 0) throw new Error(`${name}.sql does not define a function of that name`)
  const isReplaced = [...after.keys()].every((id) => before.has(id))
  const superseded = isReplaced ? [] : [...before].filter(([id]) => after.has(id))
  await dropFunctions(client, new Map(superseded).values())
}

/** All functions of a name in the schema, such as `sweep_holds(integer)`, by id. */
async function readSignatures(client: PoolClient, name: string): Promise<Map<number, string>> {
  const { rows } = await client.query<{ id: number; signature: string }>(
    `SELECT p.oid AS id, p.oid::regprocedure::text AS signature FROM pg_proc p
     WHERE p.proname = $1 AND p.pronamespace = current_schema()::regnamespace`,
    [name],
  )
  return new Map(rows.map(({ id, signature }) => [id, signature]))
}

async function dropFunctions(client: PoolClient, signatures: Iterable<string>): Promise<void> {
  for (const signature of signatures) await client.query(`DROP FUNCTION ${signature}`)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A database without a single table, as an operator has it before the first command. */
export async function createEmptyDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `weir_test_${randomBytes(8).toString('hex')}`
  await onEngine(`CREATE DATABASE ${name}`)
  const url = new URL(engineUrl())
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onEngine(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}

function engineUrl(): string {
  return process.env['WEIR_TEST_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'
}

async function onEngine(statement: string): Promise<void> {
  const engine = new Client({ connectionString: engineUrl() })
  await engine.connect()
  await engine.query(statement).finally(() => engine.end())
}

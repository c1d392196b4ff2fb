import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { orderFunctions } from './order-functions.ts'

export interface SqlFile {
  readonly name: string
  readonly text: string
}

/** A function in force is replaced if the hash of its file changes. */
export interface SqlFunction extends SqlFile {
  readonly hash: string
}

/** The schema that a program expects. */
export interface SchemaSource {
  /** By number. Each runs once and is never edited. */
  readonly migrations: readonly SqlFile[]
  /** The current definition of each function, called functions before the functions that call them. */
  readonly functions: readonly SqlFunction[]
}

const migrationName = /^\d{4}_[a-z0-9_]+\.sql$/
const functionName = /^[a-z][a-z0-9_]*\.sql$/

/** Reads `migrations/0001_name.sql` and `functions/name.sql` below a folder. Other files are ignored. */
export async function readSchemaSource(folder: string): Promise<SchemaSource> {
  const migrations = await readFolder(join(folder, 'migrations'), migrationName)
  const functions = (await readFolder(join(folder, 'functions'), functionName)).map(({ name, text }) => ({
    name: name.replace('.sql', ''),
    text,
    hash: createHash('sha256').update(text).digest('hex'),
  }))
  return { migrations, functions: orderFunctions(functions) }
}

async function readFolder(folder: string, pattern: RegExp): Promise<SqlFile[]> {
  const names = (await readdir(folder)).filter((name) => pattern.test(name)).sort()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

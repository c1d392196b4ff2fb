import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPool } from '#store/postgres/create-pool.ts'
import { migrate } from '#store/postgres/schema/migrate.ts'
import { readSchemaState } from '#store/postgres/schema/read-schema-state.sql.ts'
import { readSchemaSource } from '#store/postgres/schema/schema-source.ts'
import { createEmptyDatabase } from '#test/setup/database.ts'

let database: Awaited<ReturnType<typeof createEmptyDatabase>>
let pool: Pool
let folder: string

beforeEach(async () => {
  database = await createEmptyDatabase()
  // Dropping the database may cut off connections of an ended pool.
  pool = createPool({ connectionString: database.url, max: 4, onError: () => {} })
  folder = await mkdtemp(join(tmpdir(), 'weir-sql-'))
  await mkdir(join(folder, 'migrations'))
  await mkdir(join(folder, 'functions'))
})
afterEach(async () => {
  await pool.end()
  await database.drop()
  await rm(folder, { recursive: true })
})

const add = (name: string, statements: string) => writeFile(join(folder, 'migrations', name), statements)
const define = (name: string, definition: string) =>
  writeFile(join(folder, 'functions', `${name}.sql`), `CREATE OR REPLACE FUNCTION ${definition}`)
const remove = (path: string) => rm(join(folder, path))
const nothing = { migrations: [], functions: [], wasEmpty: false }

async function valueOf(expression: string): Promise<unknown> {
  const { rows } = await pool.query<{ value: unknown }>(`SELECT ${expression} AS value`)
  return rows[0]?.value
}

const state = async () => readSchemaState(pool, await readSchemaSource(folder))

async function signatures(): Promise<string[]> {
  const { rows } = await pool.query<{ signature: string }>(
    `SELECT oid::regprocedure::text AS signature FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY 1`,
  )
  return rows.map(({ signature }) => signature)
}

describe('migrations', () => {
  it('run once each, in order, even when several processes start together', async () => {
    await add('0002_second.sql', 'INSERT INTO steps VALUES (2)')
    await add('0001_first.sql', 'CREATE TABLE steps (step integer); INSERT INTO steps VALUES (1)')
    await add('notes.md', 'not a migration')
    const runs = await Promise.all([1, 2, 3].map(() => migrate(pool, folder)))
    expect(runs.flatMap(({ migrations }) => migrations)).toEqual(['0001_first.sql', '0002_second.sql'])
    expect((await pool.query('SELECT step FROM steps')).rows).toEqual([{ step: 1 }, { step: 2 }])
  })

  it('leave nothing behind when one fails, and can be tried again', async () => {
    await add('0001_first.sql', 'CREATE TABLE steps (step integer)')
    await migrate(pool, folder)
    await add('0002_second.sql', 'INSERT INTO steps VALUES (2)')
    await add('0003_third.sql', 'INSERT INTO steps VALUES (3); SELECT 1 / 0')
    await expect(migrate(pool, folder)).rejects.toThrow('0003_third.sql')
    expect((await pool.query('SELECT 1 FROM steps')).rowCount).toBe(0)
    await add('0003_third.sql', 'INSERT INTO steps VALUES (3)')
    expect((await migrate(pool, folder)).migrations).toEqual(['0002_second.sql', '0003_third.sql'])
  })

  it('refuse one that was slipped in below those that already ran', async () => {
    await add('0002_second.sql', 'SELECT 1')
    await migrate(pool, folder)
    await add('0001_late.sql', 'SELECT 1')
    await expect(migrate(pool, folder)).rejects.toThrow('0001_late.sql')
  })
})

describe('functions', () => {
  it('are made in the order of their calls, before the tables that need them and after the tables that they need', async () => {
    await add('0001_tables.sql', 'CREATE TABLE steps (step integer DEFAULT first_step())')
    await define('first_step', `first_step() RETURNS integer LANGUAGE sql AS 'SELECT next_step(0)'`)
    await define('next_step', `next_step(step integer) RETURNS integer LANGUAGE sql AS 'SELECT step + 1'`)
    await define('all_steps', `all_steps() RETURNS SETOF steps LANGUAGE sql AS 'SELECT * FROM steps'`)
    expect((await migrate(pool, folder)).functions).toEqual(['next_step', 'first_step', 'all_steps'])
    expect(await migrate(pool, folder)).toEqual(nothing)
    await pool.query('INSERT INTO steps DEFAULT VALUES')
    expect((await pool.query('SELECT * FROM all_steps()')).rows).toEqual([{ step: 1 }])
  })

  it('are replaced when their file changes, once, even when several processes start together', async () => {
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 1'`)
    await define('same', `same() RETURNS integer LANGUAGE sql AS 'SELECT 0'`)
    await migrate(pool, folder)
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 10'`)
    const runs = await Promise.all([1, 2, 3].map(() => migrate(pool, folder)))
    expect(runs.flatMap(({ functions }) => functions)).toEqual(['one'])
    expect(await valueOf('one()')).toBe(10)
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 1'`)
    expect((await migrate(pool, folder)).functions).toEqual(['one'])
    expect(await valueOf('one()')).toBe(1)
  })

  it.each([
    ['another result', `f(a integer) RETURNS text LANGUAGE sql AS 'SELECT a::text'`, 'f(1)', '1', 'f(integer)'],
    [
      'another name of a parameter',
      `f(b integer) RETURNS integer LANGUAGE sql AS 'SELECT b'`,
      'f(b => 1)',
      1,
      'f(integer)',
    ],
    ['another type of a parameter', `f(a text) RETURNS integer LANGUAGE sql AS 'SELECT 2'`, `f('x')`, 2, 'f(text)'],
    [
      'one parameter more',
      `f(a integer, b integer DEFAULT 3) RETURNS integer LANGUAGE sql AS 'SELECT b'`,
      'f(1)',
      3,
      'f(integer,integer)',
    ],
  ])('are replaced by one with %s, and only that one is left', async (_what, definition, call, value, signature) => {
    await define('f', `f(a integer) RETURNS integer LANGUAGE sql AS 'SELECT a'`)
    await migrate(pool, folder)
    await define('f', definition)
    expect((await migrate(pool, folder)).functions).toEqual(['f'])
    expect([await valueOf(call), await signatures()]).toEqual([value, [signature]])
  })

  it('change together with the tables, or not at all', async () => {
    await add('0001_steps.sql', 'CREATE TABLE steps (step integer)')
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 1'`)
    await migrate(pool, folder)
    await add('0002_more.sql', 'ALTER TABLE steps ADD COLUMN name text')
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 10'`)
    await define('two', `two() RETURNS integer LANGUAGE sql AS 'SELECT no_such_column FROM steps'`)
    await expect(migrate(pool, folder)).rejects.toThrow('two')
    expect([await valueOf('one()'), await signatures()]).toEqual([1, ['one()']])
    await expect(pool.query('SELECT name FROM steps')).rejects.toThrow('does not exist')
  })

  it('stay when their file is gone, until a migration drops them, and come back with their file', async () => {
    const definition = `one() RETURNS integer LANGUAGE sql AS 'SELECT 1'`
    await define('one', definition)
    await migrate(pool, folder)
    await remove('functions/one.sql')
    expect(await migrate(pool, folder)).toEqual(nothing)
    expect(await valueOf('one()')).toBe(1)
    await add('0001_drop_one.sql', 'DROP FUNCTION one()')
    await migrate(pool, folder)
    expect(await signatures()).toEqual([])
    await define('one', definition)
    expect((await migrate(pool, folder)).functions).toEqual(['one'])
  })

  it('of a newer version are not taken back by an older one', async () => {
    await add('0001_first.sql', 'SELECT 1')
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 1'`)
    const older = await readSchemaSource(folder)
    await add('0002_newer.sql', 'SELECT 2')
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 10'`)
    await migrate(pool, folder)
    await remove('migrations/0002_newer.sql')
    await define('one', older.functions[0]?.text.replace('CREATE OR REPLACE FUNCTION ', '') ?? '')
    expect(await migrate(pool, folder)).toEqual(nothing)
    expect(await valueOf('one()')).toBe(10)
  })

  it('must have the name of their file', async () => {
    await define('one', `two() RETURNS integer LANGUAGE sql AS 'SELECT 2'`)
    await expect(migrate(pool, folder)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: 'one.sql does not define a function of that name' }),
    })
  })
})

describe('the state of a schema', () => {
  it('is behind where a migration or a definition was never there, and current where both once were', async () => {
    await add('0001_first.sql', 'SELECT 1')
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 1'`)
    expect(await state()).toBe('behind')
    await migrate(pool, folder)
    const older = await readSchemaSource(folder)
    expect(await state()).toBe('current')
    await define('one', `one() RETURNS integer LANGUAGE sql AS 'SELECT 10'`)
    expect(await state()).toBe('behind')
    await migrate(pool, folder)
    expect([await state(), await readSchemaState(pool, older)]).toEqual(['current', 'current'])
    await add('0002_second.sql', 'SELECT 2')
    expect(await state()).toBe('behind')
  })
})

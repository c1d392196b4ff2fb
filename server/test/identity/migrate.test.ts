import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectedMigrations, migrate } from '#store/postgres/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

describe('migrations', () => {
  let database: TestDatabase
  let folder: string
  const add = (name: string, statements: string) => writeFile(join(folder, name), statements)

  beforeAll(async () => {
    database = await createTestDatabase()
    await database.pool.query('DROP TABLE schema_migrations')
    folder = await mkdtemp(join(tmpdir(), 'weir-migrations-'))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true })
    await database.drop()
  })

  it('run once each, in order, even when several processes start together', async () => {
    await add('0002_second.sql', 'INSERT INTO steps VALUES (2)')
    await add('0001_first.sql', 'CREATE TABLE steps (step integer); INSERT INTO steps VALUES (1)')
    await add('notes.md', 'not a migration')
    const runs = await Promise.all([1, 2, 3].map(() => migrate(database.pool, folder)))
    expect(runs.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql'])
    expect(await expectedMigrations(folder)).toEqual(['0001_first.sql', '0002_second.sql'])
    const { rows } = await database.pool.query('SELECT step FROM steps')
    expect(rows).toEqual([{ step: 1 }, { step: 2 }])
  })

  it('leave nothing behind when one fails, and can be tried again', async () => {
    await add('0003_third.sql', 'INSERT INTO steps VALUES (3); SELECT 1 / 0')
    await expect(migrate(database.pool, folder)).rejects.toThrow('0003_third.sql')
    expect((await database.pool.query('SELECT 1 FROM steps WHERE step = 3')).rowCount).toBe(0)
    await add('0003_third.sql', 'INSERT INTO steps VALUES (3)')
    expect(await migrate(database.pool, folder)).toEqual(['0003_third.sql'])
  })

  it('refuse one that was slipped in below those that already ran', async () => {
    await add('0002_another.sql', 'SELECT 1')
    await expect(migrate(database.pool, folder)).rejects.toThrow('0002_another.sql')
  })
})

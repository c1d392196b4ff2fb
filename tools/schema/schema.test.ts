import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../server/test/setup/database.ts'
import { dumpSchema, tidyDump } from './dump-schema.ts'
import { schemaFile } from './schema-file.ts'

describe('server/sql/schema.sql', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createTestDatabase()
  })
  afterAll(() => database.drop())

  it('is what migrations and functions make; else run: npm run schema', async () => {
    expect(await dumpSchema(database.url)).toBe(await readFile(schemaFile, 'utf8'))
  })

  it('would not be the same with another column, index or body of a function', async () => {
    const before = await dumpSchema(database.url)
    for (const change of [
      'ALTER TABLE holds ADD COLUMN planted text',
      'CREATE INDEX planted ON holds (key_id)',
      `CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    ]) {
      const last = await dumpSchema(database.url)
      await database.pool.query(change)
      expect(await dumpSchema(database.url)).not.toBe(last)
    }
    expect(before).not.toMatch(/_\d{6,8}\b/)
  })
})

describe('a dump', () => {
  it('is kept without versions, settings and headings', () => {
    const dump = `--\n-- PostgreSQL database dump\n--\n\n\\restrict abc\n\n-- Dumped from database version 15.20\n\nSET a = 1;\n
--\n-- Name: t; Type: TABLE\n--\n\nCREATE TABLE t (\n    id text\n);\n\n\n--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict abc\n`
    expect(tidyDump(dump).split('\n').slice(3).join('\n')).toBe('CREATE TABLE t (\n    id text\n);\n')
  })
})

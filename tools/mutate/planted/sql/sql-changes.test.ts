import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../../server/test/setup/database.ts'
import { repositoryRoot } from '../../../lib/repository-root.ts'
import { readVerdicts } from '../read-verdicts.ts'
import { changeTokens } from './change-tokens.ts'
import { deleteStatements } from './delete-statements.ts'
import { listChanges, type PlantedSql } from './list-changes.ts'
import { readFunctions, type SqlFunction } from './read-functions.ts'
import { keyOf, reportSql } from './report-sql.ts'
import { roundsOf } from './rounds-of.ts'
import { changeDefinition, type SqlChange } from './sql-change.ts'
import { nameInRound, writeRound } from './write-round.ts'

const applied = (text: string, changes: readonly SqlChange[]): string[] =>
  changes.map((change) => changeDefinition(text, change))

describe('a change of a token', () => {
  it.each([
    ['SELECT a >= b', ['SELECT a > b']],
    ['SELECT a < b', ['SELECT a <= b']],
    ['SELECT a <> b', ['SELECT a = b']],
    ['SELECT a + b', ['SELECT a - b']],
    ['SELECT (a) - b', ['SELECT (a) + b']],
    ['SELECT a AND b', ['SELECT a OR b']],
    ['SELECT a IS NULL', ['SELECT a IS NOT NULL']],
    ['SELECT a IS NOT NULL', ['SELECT a IS NOT DISTINCT FROM NULL']],
    ['SELECT NOT a', ['SELECT  a']],
    ['SELECT greatest(a, b)', ['SELECT LEAST(a, b)']],
    ['SELECT min(a)', ['SELECT MAX(a)']],
    ['SELECT f(0)', ['SELECT f(1)']],
    ['SELECT a LIMIT 1', ['SELECT a LIMIT 0']],
  ])('turns %s into %s', (text, expected) => {
    expect(applied(text, changeTokens(text))).toEqual(expected)
  })

  it.each([
    ["SELECT 'a + b >= 1'", 'a text'],
    ['SELECT a -- b + 1', 'a comment'],
    ['SELECT 1 FROM t GROUP BY 1 ORDER BY 1, 0', 'a column by its position'],
    ["SELECT a ->> 'b', c => d, e := 2", 'another operator'],
    ['SELECT f(-2, a = b)', 'a sign of a number, and equality'],
    ['CREATE FUNCTION f(n int DEFAULT 0) AS $$ SELECT n $$', 'what stands before the body'],
  ])('leaves %s alone: %s', (text) => {
    expect(changeTokens(text)).toEqual([])
  })
})

describe('a statement', () => {
  it('of a body is left out, and a control structure stays', () => {
    const text = 'DECLARE a int := 0; BEGIN a := CASE WHEN b THEN 2 END; IF c THEN d(); ELSE e(); END IF; END'
    expect(applied(text, deleteStatements(text))).toEqual([
      text.replace('a := CASE WHEN b THEN 2 END;', 'NULL;'),
      text.replace('d()', 'NULL'),
      text.replace('e()', 'NULL'),
    ])
  })

  it('of a loop and of an exception is left out', () => {
    const text = 'BEGIN FOR x IN SELECT f(a) LOOP b(); END LOOP; RETURN; EXCEPTION WHEN c THEN d(); END'
    expect(applied(text, deleteStatements(text))).toEqual([
      text.replace('b()', 'NULL'),
      text.replace('RETURN', 'NULL'),
      text.replace('d()', 'NULL'),
    ])
  })

  it('within WITH is left out where nobody reads it', () => {
    const text =
      'BEGIN WITH read AS (DELETE FROM a RETURNING *), unread AS (UPDATE b SET c = (d)) SELECT * FROM read; END'
    expect(applied(text, deleteStatements(text))).toEqual([
      'BEGIN NULL; END',
      text.replace('UPDATE b SET c = (d)', 'SELECT'),
    ])
  })
})

describe('the functions of the database', () => {
  let database: TestDatabase
  let functions: SqlFunction[]
  let changes: PlantedSql[]

  beforeAll(async () => {
    database = await createTestDatabase()
    functions = await readFunctions(database.pool)
    changes = functions.flatMap(listChanges)
  })
  afterAll(() => database.drop())

  it('all have tests that are shown their changes', () => {
    expect(functions.map(({ name }) => name)).toEqual(Object.keys(roundsOf).toSorted())
    for (const path of Object.values(roundsOf).flat())
      expect([path, existsSync(join(repositoryRoot, path))]).toEqual([path, true])
  })

  it('can be made with any of their changes, and then again without', async () => {
    expect(changes.length).toBeGreaterThan(500)
    for (const { definition } of changes) await database.pool.query(definition)
    for (const { definition } of functions) await database.pool.query(definition)
  })

  it('have every change that a verdict speaks of, each by a name of its own', () => {
    const known = new Set(changes.map(keyOf))
    expect(known.size).toBe(changes.length)
    expect(
      readVerdicts()
        .changesOf('sql')
        .filter((change) => !known.has(change)),
    ).toEqual([])
  })
})

describe('a round', () => {
  it('is a test file that plants a change and imports another', () => {
    const { path, text } = writeRound('c7', { test: 'server/test/money/holds.test.ts', sql: 'SELECT "a"' })
    expect(nameInRound(path)).toBe('c7')
    expect(text).toContain('await import("../money/holds.test.ts?planted=c7")')
    expect(text).toContain('globalThis.plantedSql = "SELECT \\"a\\""')
  })
})

describe('the report', () => {
  const [noticed, survivor] = listChanges({ name: 'f', definition: 'SELECT a + b AND c' })
  const all = [noticed, survivor].flatMap((change) => change ?? [])
  const verdicts = readVerdicts(
    'area\tchange\tverdict\twhy\nsql\tf: SELECT a + b AND c => SELECT a + b OR c\tequivalent\twhy not',
  )

  it('fails where a survivor has no verdict', () => {
    expect(reportSql(all.slice(1), new Set(), verdicts).passed).toBe(true)
    expect(reportSql(all, new Set(all.slice(0, 1)), verdicts).lines.at(-1)).toContain('1 survivors without a verdict')
  })

  it('fails where less than four of five changes are noticed', () => {
    expect(reportSql(all, new Set(all.slice(1)), verdicts).passed).toBe(false)
  })
})

import { expect, it } from 'vitest'
import { type ErrorRow, errorCatalogue } from './catalogue.ts'

const rows: readonly (readonly [string, ErrorRow])[] = Object.entries(errorCatalogue)

it.each(rows)('[ERR-02] %s has a word that programs can compare, or its status as a number', (_name, row) => {
  if (typeof row.code === 'number') expect(row.code).toBe(row.status)
  else expect(row.code).toMatch(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/)
})

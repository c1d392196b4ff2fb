import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../lib/repository-root.ts'
import { isTest } from '../../lib/source-file.ts'
import { applyEdits } from '../lib/edit.ts'
import { faults } from './faults.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

describe('the corpus of faults', () => {
  it('has 46 faults with names of their own, of which 43 can be planted at once', () => {
    expect(new Set(faults.map(({ id }) => id)).size).toBe(46)
    expect(faults.filter(({ alsoTogether }) => alsoTogether)).toHaveLength(43)
  })

  it.each(faults)('$id has one place in the source, and changes it', ({ file, find, replace }) => {
    const text = read(file)
    expect(applyEdits(text, [{ file, find, replace }])).not.toBe(text)
  })

  it.each(faults)('$id names tests that exist', ({ tests }) => {
    expect(tests).not.toEqual([])
    for (const path of tests)
      expect([path, isTest(path) && existsSync(join(repositoryRoot, path))]).toEqual([path, true])
  })

  it('can be planted at once', () => {
    const together = Map.groupBy(
      faults.filter(({ alsoTogether }) => alsoTogether),
      ({ file }) => file,
    )
    for (const [file, ofFile] of together) expect(applyEdits(read(file), ofFile)).not.toBe(read(file))
  })
})

describe('an edit', () => {
  it.each(['a b', 'a x b x'])('of a text that does not occur once is refused: %s', (text) => {
    expect(() => applyEdits(text, [{ file: 'f', find: 'x', replace: 'y' }])).toThrow('not once')
  })
})

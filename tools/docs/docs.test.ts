import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../lib/repository-root.ts'
import { documents } from './documents.ts'
import { findStaleDocuments } from './find-stale-documents.ts'

describe('generated documents', () => {
  it('say what the code says', () => {
    expect(findStaleDocuments()).toEqual([])
  })

  it('are found out when edited or missing', () => {
    const root = mkdtempSync(join(tmpdir(), 'weir-docs-'))
    try {
      for (const { path } of documents) cpSync(join(repositoryRoot, path), join(root, path))
      writeFileSync(join(root, 'docs/configuration.md'), 'edited')
      rmSync(join(root, 'docs/errors.md'))
      expect(findStaleDocuments(root)).toEqual(['docs/configuration.md', 'docs/errors.md'])
    } finally {
      rmSync(root, { recursive: true })
    }
  })
})

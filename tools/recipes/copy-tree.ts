import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import type { SourceFile } from '../lib/source-file.ts'

/** The repository's files, uncommitted ones included, in a folder of their own that shares the installed packages. */
export function copyTree(): CopiedTree {
  const root = mkdtempSync(join(tmpdir(), 'weir-copy-'))
  const files = listFiles(repositoryRoot)
  for (const { path } of files) cpSync(join(repositoryRoot, path), join(root, path))
  symlinkSync(join(repositoryRoot, 'node_modules'), join(root, 'node_modules'))
  return {
    root,
    files,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface CopiedTree {
  readonly root: string
  /** As they were when they were copied. */
  readonly files: readonly SourceFile[]
  write(path: string, text: string): void
  remove(): void
}

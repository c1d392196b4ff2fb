import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listFiles } from './list-files.ts'
import { repositoryRoot } from './repository-root.ts'
import type { SourceFile } from './source-file.ts'

/** The repository's files, uncommitted ones included, in a folder of their own that shares the installed packages. */
export function copyTree(): CopiedTree {
  const root = mkdtempSync(join(tmpdir(), 'weir-copy-'))
  const files = listFiles(repositoryRoot)
  for (const { path } of files) cpSync(join(repositoryRoot, path), join(root, path))
  // npm keeps what only one workspace needs in a folder beside it, where it likes to.
  for (const folder of ['node_modules', 'server/node_modules']) {
    if (existsSync(join(repositoryRoot, folder))) symlinkSync(join(repositoryRoot, folder), join(root, folder))
  }
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

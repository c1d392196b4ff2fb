import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { listFiles } from './list-files.ts'
import { repositoryRoot } from './repository-root.ts'
import type { SourceFile } from './source-file.ts'

/** A copy of the repository, including uncommitted files, that shares the installed packages. */
export function copyTree(): CopiedTree {
  const root = mkdtempSync(join(tmpdir(), 'weir-copy-'))
  const files = listFiles(repositoryRoot)
  for (const { path } of files) cpSync(join(repositoryRoot, path), join(root, path))
  // npm may install packages that only one workspace needs beside that workspace. The generator of the API's types has
  // packages of its own.
  for (const folder of ['node_modules', 'server/node_modules', 'tools/api-types/node_modules']) {
    if (existsSync(join(repositoryRoot, folder))) symlinkSync(join(repositoryRoot, folder), join(root, folder))
  }
  return {
    root,
    files,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    },
    restore: (path) => {
      const original = files.find((file) => file.path === path)
      if (original === undefined) rmSync(join(root, path))
      else writeFileSync(join(root, path), original.text)
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

export interface CopiedTree {
  readonly root: string
  /** The files at the time of the copy. */
  readonly files: readonly SourceFile[]
  write(path: string, text: string): void
  /** Restores the copied text, or deletes the file if there was none. */
  restore(path: string): void
  remove(): void
}

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceFile } from './source-file.ts'

/** Every text file that is tracked, or new and not ignored, so that checks work before the commit. */
export function listFiles(root: string): SourceFile[] {
  const listing = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const paths = [...new Set(listing.split('\0'))].filter((path) => path !== '').sort()
  return paths.flatMap((path) => {
    // A tracked file may have been deleted from the working tree, and a submodule is a folder.
    if (statSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true) return []
    const text = readFileSync(join(root, path), 'utf8')
    return [{ path, text: text.includes('\0') ? '' : text }]
  })
}

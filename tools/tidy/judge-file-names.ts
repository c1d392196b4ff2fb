import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'

const bannedNames = new Set(['utils', 'helpers', 'common', 'misc'])

/**
 * A file or folder is named for its one idea. Only a vendor's folder may have an index, because the folder's name says
 * what it holds.
 */
export function judgeFileNames(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path }) => {
    const stems = path.split('/').map((name) => name.split('.')[0] ?? '')
    const banned = stems.find((stem) => bannedNames.has(stem))
    if (banned !== undefined) return [{ rule: 'file-name', path, message: `${banned} names no idea` }]
    const isIndex = /(^|\/)index\.tsx?$/.test(path)
    const isVendorIndex = /^server\/src\/providers\/vendors\/[^/]+\/index\.ts$/.test(path)
    return isIndex && !isVendorIndex ? [{ rule: 'file-name', path, message: 'an index hides what it holds' }] : []
  })
}

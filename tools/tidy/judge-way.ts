import type { Finding } from '../lib/finding.ts'
import { readImports } from '../lib/read-imports.ts'
import { readAliases, resolveSpecifier } from '../lib/resolve-specifier.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { tokensOf } from '../lib/tokens-of.ts'

const documentPath = 'docs/ARCHITECTURE.md'
const heading = '### Follow a streamed chat request through the code'
const sourceFolder = 'server/src/'
const filesMax = 40

/**
 * The request path that the architecture lists can be read in that order: every file exists and is imported by a file
 * before it, `bin` comes only at the start, and there are at most 40 files.
 */
export function judgeWay(files: readonly SourceFile[]): Finding[] {
  const steps = readSteps(files.find(({ path }) => path === documentPath)?.text ?? '')
  if (steps.length === 0) return [finding(`has no list under "${heading}"`)]
  const bySource = new Map(files.map((file) => [file.path, file]))
  const aliases = readAliases(bySource.get('server/package.json')?.text ?? '{}', 'server')
  const imported = new Set<string>()
  const tooLong = steps.length > filesMax ? [finding(`the way has ${steps.length} files, at most ${filesMax}`)] : []
  const findings = steps.flatMap(({ path, line }, index) => {
    const file = bySource.get(path)
    if (file === undefined) return [finding(`${path} does not exist`, line)]
    const isReached = index === 0 || imported.has(path)
    for (const { specifier } of readImports(tokensOf(file))) {
      const target = resolveSpecifier(specifier, path, aliases)
      if (target !== undefined) imported.add(target)
    }
    const climbs = isBin(path) && steps.slice(0, index).some((step) => !isBin(step.path))
    return [
      ...(isReached ? [] : [finding(`no file before ${path} imports it`, line)]),
      ...(climbs ? [finding(`${path} stands behind files that are not of bin`, line)] : []),
    ]
  })
  return [...tooLong, ...findings]
}

function finding(message: string, line?: number): Finding {
  return { rule: 'way', path: documentPath, message, ...(line === undefined ? {} : { line }) }
}

function isBin(path: string): boolean {
  return path.startsWith(`${sourceFolder}bin/`)
}

/** The first path of each item or row below the heading, up to the next heading. */
function readSteps(document: string): { path: string; line: number }[] {
  const lines = document.split('\n')
  const start = lines.indexOf(heading)
  if (start === -1) return []
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith('#'))
  const section = lines.slice(start + 1, length === -1 ? undefined : start + 1 + length)
  return section.flatMap((text, index) => {
    const path = /^(?:\d+\.|\|)\s.*?`([\w./-]+\.ts)`/.exec(text)?.[1]
    return path === undefined ? [] : [{ path: sourceFolder + path, line: start + 2 + index }]
  })
}

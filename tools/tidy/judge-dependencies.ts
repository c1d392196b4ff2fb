import type { Finding } from '../lib/finding.ts'
import { isRecord } from '../lib/is-record.ts'
import type { SourceFile } from '../lib/source-file.ts'

const documentPath = 'docs/dependencies.md'
const dependencyFields = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']

/** Every dependency has a row, bullet or heading in the document that says why it is needed. */
export function judgeDependencies(files: readonly SourceFile[]): Finding[] {
  const document = files.find(({ path }) => path === documentPath)
  if (document === undefined) return [{ rule: 'dependency', path: documentPath, message: 'is missing' }]
  const entries = document.text.split('\n').filter((line) => /^\s*[|*#-]/.test(line))
  const packages = files
    .filter(({ path }) => /(^|\/)package\.json$/.test(path) && !path.includes('/fixtures/'))
    .map(({ path, text }) => ({ path, content: parseObject(text) }))
  const ours = new Set(packages.map(({ content }) => content.name))
  return packages.flatMap(({ path, content }) =>
    dependencyFields
      .flatMap((field) => Object.keys(recordOf(content[field])))
      .filter((name) => !ours.has(name) && !entries.some((line) => mentions(line, name)))
      .map((name) => ({ rule: 'dependency', path, message: `${name} has no line in ${documentPath}` })),
  )
}

/** Matches whole names: `pg` is not found in `pg-boss` or `@types/pg`. */
function mentions(line: string, name: string): boolean {
  return line.split(/[^\w@/.-]+/).includes(name)
}

function parseObject(text: string): Record<string, unknown> {
  return recordOf(JSON.parse(text))
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {}
}

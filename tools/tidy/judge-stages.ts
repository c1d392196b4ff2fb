import type { Finding } from '../lib/finding.ts'
import type { SourceFile } from '../lib/source-file.ts'
import { foldersBelow } from './folders-below.ts'

const pipelineFolder = 'server/src/pipeline/'
const documentPath = 'docs/ARCHITECTURE.md'

/** The stages in the architecture's table match the folders of the pipeline. */
export function judgeStages(files: readonly SourceFile[]): Finding[] {
  const folders = foldersBelow(files, pipelineFolder)
  const documented = readStages(files.find(({ path }) => path === documentPath)?.text ?? '')
  const names = new Set(documented.map(({ name }) => name))
  const undocumented = folders
    .filter((name) => !names.has(name))
    .map((name) => ({ rule: 'stage', path: pipelineFolder + name, message: `has no row in ${documentPath}` }))
  const unbuilt = documented
    .filter(({ name }) => !folders.includes(name))
    .map(({ name, line }) => ({ rule: 'stage', path: documentPath, line, message: `${name} is no pipeline folder` }))
  return [...undocumented, ...unbuilt]
}

/** The first word of each row's first cell, from the table whose heading starts with `Stage`. */
function readStages(document: string): { name: string; line: number }[] {
  const lines = document.split('\n')
  const heading = lines.findIndex((line) => /^\|\s*Stage\s*\|/.test(line))
  if (heading === -1) return []
  const rows = lines.slice(heading + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end === -1 ? rows.length : end).map((row, index) => ({
    name: /[a-z][\w-]*/i.exec(row.split('|')[1] ?? '')?.[0] ?? '',
    line: heading + index + 3,
  }))
}

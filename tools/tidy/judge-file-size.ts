import type { Finding } from '../lib/finding.ts'
import { isSource, type SourceFile } from '../lib/source-file.ts'

const linesMax = 400
const medianLinesMax = 90
const percentile95LinesMax = 250

/** The baseline is every table there is, in sections by topic; the schema and the types of the API are generated. */
const wholeSchemas = new Set([
  'server/sql/migrations/0001_baseline.sql',
  'server/sql/schema.sql',
  'console/src/api/schema.d.ts',
])

/** Code that people read: data, documents and lock files may be as long as they are. */
const isCode = (path: string) => /\.(tsx?|m?js|css|sql|lua|sh)$/.test(path) && !wholeSchemas.has(path)

/** One idea fits on a few screens. */
export function judgeFileSize(files: readonly SourceFile[]): Finding[] {
  const rule = 'file-size'
  const tooLong = files
    .filter(({ path, text }) => isCode(path) && countLines(text) > linesMax)
    .map(({ path, text }) => ({ rule, path, message: `${countLines(text)} lines, at most ${linesMax}` }))

  const sizes = files.filter(({ path }) => isSource(path)).map(({ text }) => countLines(text))
  const median = quantile(sizes, 0.5)
  const percentile95 = quantile(sizes, 0.95)
  const spread: Finding[] = []
  if (median > medianLinesMax) {
    spread.push({ rule, path: 'src', message: `the median file has ${median} lines, at most ${medianLinesMax}` })
  }
  if (percentile95 > percentile95LinesMax) {
    const message = `95 in 100 files stay within ${percentile95} lines, at most ${percentile95LinesMax}`
    spread.push({ rule, path: 'src', message })
  }
  return [...tooLong, ...spread]
}

function countLines(text: string): number {
  return text === '' ? 0 : text.replace(/\n$/, '').split('\n').length
}

/** The nearest rank: the smallest size that at least this share of the files does not exceed. */
function quantile(sizes: readonly number[], share: number): number {
  const sorted = [...sizes].sort((left, right) => left - right)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

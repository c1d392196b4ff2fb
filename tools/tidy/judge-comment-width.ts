import type { Finding } from '../lib/finding.ts'
import { isTypeScript, type SourceFile } from '../lib/source-file.ts'

const columnsMax = 120

/** Generated files: their comments come from the API descriptions and SQL functions. */
const generated = new Set(['console/src/api/schema.d.ts', 'server/sql/schema.sql'])

/** Comments have the same width as code and prose. The formatter wraps code, and markdownlint checks documents. */
export function judgeCommentWidth(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => (isTypeScript(path) || path.endsWith('.sql')) && !generated.has(path))
    .flatMap(judgeFile)
}

function judgeFile({ path, text }: SourceFile): Finding[] {
  const comment = path.endsWith('.sql') ? /^\s*--/ : /^\s*(?:\/\/|\/?\*)/
  return text.split('\n').flatMap((content, index) => {
    if (content.length <= columnsMax || !comment.test(content)) return []
    const message = `a comment of ${content.length} columns, at most ${columnsMax}`
    return [{ rule: 'comment-width', path, line: index + 1, message }]
  })
}

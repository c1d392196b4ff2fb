import type { Finding } from '../lib/finding.ts'
import { mapLinks } from '../lib/map-links.ts'
import { resolveLink } from '../lib/resolve-link.ts'
import type { SourceFile } from '../lib/source-file.ts'

/** Relative links in documents lead to a file or folder of the repository. */
export function judgeLinks(files: readonly SourceFile[]): Finding[] {
  const places = new Set(files.flatMap(({ path }) => [path, ...foldersOf(path)]))
  const findings: Finding[] = []
  for (const { path, text } of files.filter((file) => /^(docs\/.*|[^/]+)\.md$/.test(file.path))) {
    mapLinks(text, (target, line) => {
      const link = resolveLink(target, path)
      if (link !== null && !places.has(link.file)) {
        findings.push({ rule: 'dead-link', path, line, message: `${target} leads nowhere` })
      }
      return target
    })
  }
  return findings
}

/** Every folder that contains a path, including the root (`.`). */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return ['.', ...names.map((_, depth) => names.slice(0, depth + 1).join('/'))]
}

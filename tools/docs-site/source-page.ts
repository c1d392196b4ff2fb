import { posix } from 'node:path'

const languages: Readonly<Record<string, string>> = {
  '.ts': 'ts',
  '.mjs': 'js',
  '.sql': 'sql',
  '.yml': 'yaml',
  '.json': 'json',
}

/** A page for a linked file that is not a document. It shows the file unchanged and is excluded from search. */
export function sourcePage(file: string, text: string): string {
  const language = languages[posix.extname(file)] ?? 'txt'
  // The fence must be longer than any fence in the text.
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
  return `---\nsearch: false\noutline: false\nprev: false\nnext: false\n---\n\n# ${posix.basename(file)}\n\n\`${file}\` of the repository.\n\n${fence}${language}\n${text.trimEnd()}\n${fence}\n`
}

/** A page for a linked folder that lists its documents by title. */
export function folderPage(
  folder: string,
  documents: readonly { readonly file: string; readonly text: string }[],
): string {
  const lines = documents.map(({ file, text }) => {
    const title = /^# (.+)$/m.exec(text)?.[1] ?? posix.basename(file)
    return `- [${title}](${posix.basename(file)})`
  })
  const name = posix.basename(folder)
  return `# ${name.slice(0, 1).toUpperCase()}${name.slice(1)}\n\n${lines.join('\n')}\n`
}

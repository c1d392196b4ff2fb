/**
 * `[text](target "title")` and `[name]: target`, images included. The target is between the first and the last group.
 */
const linkPattern = /(\]\(\s*<?)([^\s)>]+)(>?[^)]*\))|^(\s*\[[^\]]+\]:\s*<?)([^\s>]+)()/g

/** Replaces every link in a Markdown document. Code is unchanged. Lines count from 1. */
export function mapLinks(text: string, replace: (target: string, line: number) => string): string {
  let inFence = false
  return text
    .split('\n')
    .map((line, index) => {
      const isFence = /^\s*(```|~~~)/.test(line)
      if (isFence) inFence = !inFence
      if (isFence || inFence) return line
      // Every second piece is code. If a link's text is code, its target begins a piece.
      return line
        .split(/(`[^`]*`)/)
        .map((piece, at) => (at % 2 === 1 ? piece : mapPiece(piece, (target) => replace(target, index + 1))))
        .join('')
    })
    .join('\n')
}

function mapPiece(piece: string, replace: (target: string) => string): string {
  return piece.replace(
    linkPattern,
    (_all, open = '', target = '', close = '', openName = '', targetName = '', closeName = '') =>
      `${open}${openName}${replace(`${target}${targetName}`)}${close}${closeName}`,
  )
}

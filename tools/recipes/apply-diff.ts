/**
 * Applies a diff to a string: lines that start with `-` are removed, lines that start with `+` are added, and lines
 * that start with a space are context. Hunks are separated by `@@`. The lines that a hunk expects must occur exactly
 * once, so that a recipe cannot change the wrong place. A hunk whose result is already present changes nothing.
 */
export function applyDiff(text: string, diff: string): string {
  return diff
    .replace(/\n$/, '')
    .split(/^@@.*\n/m)
    .reduce(applyHunk, text)
}

function applyHunk(text: string, hunk: string): string {
  const lines = hunk.replace(/\n$/, '').split('\n')
  const odd = lines.find((line) => !/^[ +-]/.test(line))
  if (odd !== undefined) throw new Error(`this line of a diff starts with none of blank, plus and minus: ${odd}`)
  const before = lines.filter((line) => !line.startsWith('+')).map((line) => `${line.slice(1)}\n`)
  const after = lines.filter((line) => !line.startsWith('-')).map((line) => `${line.slice(1)}\n`)
  if (`\n${text}`.includes(`\n${after.join('')}`)) return text
  const pieces = `\n${text}`.split(`\n${before.join('')}`)
  if (pieces.length !== 2) throw new Error(`found ${pieces.length - 1} times instead of once:\n${before.join('')}`)
  return pieces.join(`\n${after.join('')}`).slice(1)
}

/** One change to a file: a text that occurs once, and its replacement. */
export type Edit = {
  /** Relative to the repository's root. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** Applies these edits to the text of a file. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((changed, { file, find, replace }) => {
    const parts = changed.split(find)
    if (parts.length !== 2) throw new Error(`${file}: occurs ${parts.length - 1} times, not once: ${find}`)
    return parts.join(replace)
  }, text)
}

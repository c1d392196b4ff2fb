/** One change of one file: a text that occurs there once, and what stands in its place. */
export type Edit = {
  /** From the repository's root. */
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** The text of a file with these edits of it. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  return edits.reduce((changed, { file, find, replace }) => {
    const parts = changed.split(find)
    if (parts.length !== 2) throw new Error(`${file}: occurs ${parts.length - 1} times, not once: ${find}`)
    return parts.join(replace)
  }, text)
}

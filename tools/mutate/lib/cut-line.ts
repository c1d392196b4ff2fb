/** A text as it stands in a table: without line ends, and no longer than a line. */
export function cutLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 90)
}

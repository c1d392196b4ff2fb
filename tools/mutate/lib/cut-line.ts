/** Text for a table: without line breaks and cut to one line. */
export function cutLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 90)
}

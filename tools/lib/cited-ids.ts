/** The ids that a text cites in square brackets, also several in one: `[CHAT-04, CHAT-12]`. */
export function citedIds(text: string): string[] {
  return [...text.matchAll(/\[([^[\]\n]+)\]/g)]
    .flatMap((match) => (match[1] ?? '').split(','))
    .map((id) => id.trim())
    .filter((id) => /^[A-Z]+-\d+$/.test(id))
}

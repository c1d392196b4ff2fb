/** What speech is charged by: code points, so that an emoji counts once whatever it takes to write it down. */
export function charactersIn(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

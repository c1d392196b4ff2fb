/** Every string that differs from this one in a single bit. */
export function bitFlipsOf(text: string): string[] {
  return [...text].flatMap((character, at) =>
    Array.from({ length: 8 }, (_, bit) => {
      const changed = String.fromCharCode(character.charCodeAt(0) ^ (1 << bit))
      return text.slice(0, at) + changed + text.slice(at + 1)
    }),
  )
}

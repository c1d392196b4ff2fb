/** What leaves no trace on a screen: zero-width spaces and joiners, soft hyphens, direction marks, variation selectors. */
export const invisiblePattern = /\p{Default_Ignorable_Code_Point}/u

/** The invisible twin of an ASCII character. */
export const invisibleLetter = /^[\u{e0020}-\u{e007e}]/u

const everyInvisible = /\p{Default_Ignorable_Code_Point}/gu
const tagOffset = 0xe0000

/**
 * A text without what cannot be seen. The invisible twins of the ASCII characters (the tags) become what they stand for,
 * because models read them, and people hide orders in them.
 */
export function visibleOf(text: string): string {
  return text.replaceAll(everyInvisible, (character) => {
    const twin = (character.codePointAt(0) ?? 0) - tagOffset
    return twin >= 0x20 && twin < 0x7f ? String.fromCharCode(twin) : ''
  })
}

// Scripts above this have no case or accents.
const foldedBelow = 0x600

const folded = Uint16Array.from({ length: foldedBelow }, (_, code) =>
  String.fromCharCode(code).toLowerCase().normalize('NFD').charCodeAt(0),
)

/**
 * Normalizes one UTF-16 unit for comparison: lower case, without accent, with one kind of space, apostrophe and width.
 */
export function foldCharacter(code: number): number {
  if (code < foldedBelow) return folded[code] ?? code
  if (code === 0x2019) return 0x27
  if (code === 0x3000 || (code >= 0x2000 && code <= 0x200a)) return 0x20
  // Full-width forms of ASCII, as Chinese and Japanese keyboards write them.
  return code >= 0xff01 && code <= 0xff5e ? foldCharacter(code - 0xfee0) : code
}

/** Whether this character's script has no spaces between words. */
export function isIdeographic(code: number): boolean {
  return (code >= 0x3040 && code <= 0x30ff) || (code >= 0x3400 && code <= 0x9fff)
}

/** Letters and digits; for folded characters. */
export function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39)
  return (code >= 0xdf && code < 0x2000 && code !== 0xf7) || isIdeographic(code)
}

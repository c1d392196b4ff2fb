/** Words that stand where a manual tells the reader to put their own. */
const placeholderWords =
  /your|insert|replace|placeholder|change[-_]?me|redacted|dummy|sample|goes[-_]?here|[-_]here|todo|foo[-_]?bar|lorem|my[-_](?:api|secret|token|key)|(?:api|secret|access)[-_]?(?:key|token)[-_](?:for|of|here|name)|x{6,}|\*{4,}|\.{3}|0{10,}|1234567890123456|(.)\1{7,}/i

export function isPlaceholder(secret: string): boolean {
  return placeholderWords.test(secret)
}

/** Whether letters and digits are mixed as in a value that was drawn at random, and not as in words or names. */
export function looksRandom(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '').length
  const letters = value.replaceAll(/[^A-Za-z]/g, '').length
  // A long value that mixes small letters and capitals may have few digits.
  const isMixed = value.length >= 30 && /[a-z]/.test(value) && /[A-Z]/.test(value)
  if (digits < (isMixed ? 1 : 3) || letters < 3 || entropyOf(value) < 3.2) return false
  // Words have long runs of small letters; what was drawn at random has few.
  return !/[a-z]{9,}/.test(value) || value.length > 60
}

/** In bits for each character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / value.length) * Math.log2(count / value.length)
  return entropy
}

/** An upstream's text as it may be shown: one line, at most 500 characters, nothing in it that is ours. */
export function publicText(text: string): string {
  // Bounded before the patterns run, since an upstream may send a page where a sentence belongs.
  const line = text.slice(0, 4_000).replace(controls, ' ').replace(secrets, '[redacted]').trim()
  return line.length <= charactersMax ? line : `${line.slice(0, charactersMax - 1).toWellFormed()}…`
}

const charactersMax = 500

const controls = /[\p{Cc}\p{Cf}\s]+/gu

/** Keys by their common beginnings, also shortened with dots or stars, and the ids of our accounts upstream. */
const secrets =
  /\b(?:[Bb]earer\s+\S+|(?:sk|gsk|xai|pplx|nvapi|csk|fw|hf|tgp|rk)[-_][\w.*…-]{3,}|AIza[\w-]{10,}|(?:org|proj|acct)[-_][A-Za-z0-9]{6,})/g

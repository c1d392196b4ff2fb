const lengthMax = 1_000
const base = 'https://weir.invalid'

/** A page of the console, or its start page if the text could lead to another site. */
export function localPath(text: string | null): string {
  if (text === null || text.length > lengthMax || !/^\/console(?:[/?#]|$)/.test(text)) return start
  if (/[\\\p{C}\s]/u.test(text) || !URL.canParse(text, base)) return start
  const { origin, pathname, search, hash } = new URL(text, base)
  // A path such as `/console/../..//other.example` leaves the console once it is resolved.
  return origin === base && /^\/console(?:\/|$)/.test(pathname) ? pathname + search + hash : start
}

const start = '/console/'

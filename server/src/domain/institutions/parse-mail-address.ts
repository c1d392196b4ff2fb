import { canonicalDomain } from './canonical-domain.ts'

/** One email address that every mail server interprets the same way. */
export interface MailAddress {
  /** For the envelope: the local part as written. */
  readonly mailbox: string
  /** For comparison: in lower case, because practically every server ignores case in addresses. */
  readonly identity: string
  readonly domain: string
}

// Atoms separated by single dots. Excluded are characters that old servers route by (`%`, `!`), characters that a shell
// or a mailbox file may interpret, and a leading hyphen, which a command could read as an option.
const atom = "[A-Za-z0-9_+='&~#-]+"
const localForm = new RegExp(`^(?!-)${atom}(?:\\.${atom})*$`)

/**
 * Parses exactly one address: no display name, quotes, comments, lists, control characters or address literal.
 * Surrounding spaces are allowed, because people paste them.
 */
export function parseMailAddress(text: string): MailAddress | undefined {
  const written = withoutPadding(text)
  if (written.length > 254) return undefined
  const at = written.indexOf('@')
  const local = written.slice(0, at)
  if (at < 1 || local.length > 64 || !localForm.test(local)) return undefined
  const domain = canonicalDomain(written.slice(at + 1))
  if (domain === undefined) return undefined
  const mailbox = `${local}@${domain}`
  // Punycode may be longer than the original.
  return mailbox.length > 254 ? undefined : { mailbox, identity: mailbox.toLowerCase(), domain }
}

/** A loop, because a pattern for trailing spaces takes quadratic time. */
function withoutPadding(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === ' ') start += 1
  while (end > start && text[end - 1] === ' ') end -= 1
  return text.slice(start, end)
}

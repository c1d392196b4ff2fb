import { canonicalDomain } from './canonical-domain.ts'

/** One mail address that can mean nothing else to any mail server on its way. */
export interface MailAddress {
  /** For the envelope: the local part as it was written. */
  readonly mailbox: string
  /** For comparing: all in lower case, because to practically every server that is the same person. */
  readonly identity: string
  readonly domain: string
}

// Atoms between single dots. Of the characters that mail permits, those are left out that old servers route by (`%`,
// `!`), that a shell or a mailbox file may act on, and a hyphen at the start, which a command could take for an option.
const atom = "[A-Za-z0-9_+='&~#-]+"
const localForm = new RegExp(`^(?!-)${atom}(?:\\.${atom})*$`)

/**
 * Reads exactly one address: no display name, no quotes, no comments, no lists, no control characters, no address
 * literal. Spaces around it are forgiven, because people paste them.
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
  // Punycode may be longer than what it was written as.
  return mailbox.length > 254 ? undefined : { mailbox, identity: mailbox.toLowerCase(), domain }
}

/** By hand, since a pattern for spaces at the end tries each run of spaces from each of its places. */
function withoutPadding(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text[start] === ' ') start += 1
  while (end > start && text[end - 1] === ' ') end -= 1
  return text.slice(start, end)
}

import { isIP } from 'node:net'
import type { EgressPolicy } from './egress-policy.ts'

export type UrlVerdict =
  | { readonly allowed: true; readonly url: URL }
  /** The message completes "The URL …" for the client. */
  | { readonly allowed: false; readonly message: string }

const lengthMax = 2_048

/**
 * Whether the gateway may connect to a URL from an account, judged by its text. Host names are judged again by their
 * resolved address on every connection. The URL parser reads literals in every notation (`0x7f.1`, `2130706433`,
 * fullwidth digits), so the judged address is the one that would be connected to.
 */
export function judgeUrl(text: string, policy: EgressPolicy): UrlVerdict {
  if (text.length > lengthMax) return refused(`is longer than ${lengthMax} characters.`)
  // The parser would drop some of these and turn a backslash into a slash; the URL must be used exactly as shown.
  if (/[\s\p{C}\\]/u.test(text)) return refused('contains spaces, control characters or backslashes.')
  if (!URL.canParse(text)) return refused('is not a valid URL.')
  const url = new URL(text)
  const host = hostOf(url)
  const isLiteral = isIP(host) !== 0
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLiteral && policy.isOpened(host))) {
    return refused('must start with https://.')
  }
  if (/^[a-z]+:\/*[^/?#]*@/i.test(text)) return refused('must not contain a username or password.')
  if (refusedPorts.has(Number(url.port === '' ? '443' : url.port))) return refused('uses a port that is not allowed.')
  const objection = isLiteral ? objectionToLiteral(host, policy) : objectionToName(host, policy)
  return objection === null ? { allowed: true, url } : refused(objection)
}

/**
 * The host without IPv6 brackets and without the trailing dot of a full name. With two dots `127.1..` would look like a
 * name.
 */
export function hostOf({ hostname }: URL): string {
  return hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '').toLowerCase()
}

const localNames = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|lan|home|corp|private|home\.arpa)$/
// Host names at which clouds return the credentials of the machine.
const metadataNames = /(?:^|\.)(?:metadata(?:\.google(?:\.internal)?|\.goog)?|instance-data(?:\.ec2\.internal)?)$/
const hostForm = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/

function objectionToLiteral(address: string, policy: EgressPolicy): string | null {
  const why = policy.objectionTo(address)
  return why === null ? null : notPublic(why)
}

function objectionToName(host: string, policy: EgressPolicy): string | null {
  if (!hostForm.test(host) || host.length > 253) return 'has no valid host.'
  if (metadataNames.test(host)) return 'points to a metadata service.'
  // In networks that the operator allowed, the address decides.
  if (policy.opensNetworks) return null
  if (localNames.test(host) || !host.includes('.')) return 'points to a host in a private network.'
  return null
}

// Ports of mail, shells, files and databases, which may interpret a request as commands. 0 is invalid.
const refusedPorts: ReadonlySet<number> = new Set(
  `0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119
   123 135 137 139 143 161 179 389 427 445 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636
   989 990 993 995 1433 1521 1719 1720 1723 2049 2181 2375 2379 3306 3389 3659 4045 4190 5060 5061 5432 5672 5900
   6000 6379 6566 6665 6666 6667 6668 6669 6679 6697 9042 9092 10080 10250 11211 27017`
    .split(/\s+/)
    .map(Number),
)

/** The message for an address that is not public. */
export function notPublic(why: string): string {
  return `resolves to an address that is not public (${why}).`
}

function refused(message: string): UrlVerdict {
  return { allowed: false, message }
}

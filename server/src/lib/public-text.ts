import { isIP } from 'node:net'

declare const publicTextBrand: unique symbol

/** Upstream text that a client may read. Only `publicText` creates it. */
export type PublicText = string & { readonly [publicTextBrand]: true }

/**
 * Upstream text in a form that may be shown: one line, at most 500 characters, without keys, tokens, internal addresses
 * or the names of our accounts. `known` are secrets of the requested account, which are removed in any form.
 */
export function publicText(words: string, known: readonly string[] = []): PublicText {
  const line = boundedLine(words)
  const withoutKnown = known.reduce((text, secret) => withoutExactly(text, secret), line)
  const shown = withoutSecrets(withoutKnown).trim()
  return asPublic(shown.length <= charactersMax ? shown : `${shown.slice(0, charactersMax - 1).toWellFormed()}…`)
}

const charactersMax = 500
// Limited before the patterns run, since an upstream may send a whole page.
const charactersReadMax = 4_000

function boundedLine(words: string): string {
  const line = words.slice(0, charactersReadMax).replace(controls, ' ')
  // The rest of a truncated token would pass as a harmless word.
  const lastSpace = line.lastIndexOf(' ')
  return words.length <= charactersReadMax || lastSpace === -1 ? line : `${line.slice(0, lastSpace)} ${redacted}`
}

const controls = /[\p{Cc}\p{Cf}\s]+/gu

const redacted = '[redacted]'

/** Shorter secrets also occur in ordinary sentences. */
const knownLengthMin = 4

function withoutExactly(text: string, secret: string): string {
  // A secret longer than the text cannot occur in it, and may be too long for a pattern.
  return secret.length < knownLengthMin || secret.length > text.length
    ? text
    : text.replace(new RegExp(secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi'), redacted)
}

function withoutSecrets(text: string): string {
  return text
    .replace(urls, (url) => publicUrl(url))
    .replace(resourceNames, redacted)
    .replace(mailAddresses, redacted)
    .replace(credentialHeaders, `$1$2${redacted}`)
    .replace(keys, redacted)
    .replace(longTokens, (token) => (isLikelyToken(token) ? redacted : token))
    .replace(fourNumbers, withoutAddress)
    .replace(eightGroups, withoutAddress)
    .replace(internalNames, redacted)
}

const urls = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>`]{1,2000}/gi

/** A link to a vendor's manual is useful, but its query may contain a signature. */
function publicUrl(url: string): string {
  const [, scheme = '', authority = '', path = '', query = ''] = urlForm.exec(url) ?? []
  const isPublic = /^https?$/i.test(scheme) && publicHost.test(authority) && !internalHost.test(authority)
  if (!isPublic) return redacted
  return `${scheme}://${authority}${path}${query === '' ? '' : `${query.charAt(0)}${redacted}`}`
}

const urlForm = /^([^:]+):\/\/([^/?#]*)([^?#]*)(.*)$/
/** Without a port and without a user name. */
const publicHost = /^(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}[.,;:)]?$/i
/** Names that only resolve inside a network, and clouds where the name identifies an operator's own resource. */
const internalHost =
  /\.(?:local|localhost|localdomain|internal|intranet|private|lan|home|corp|svc|cluster|consul|arpa|azure\.com|azure-api\.net|windows\.net|amazonaws\.com|run\.app)[.,;:)]?$/i

/** Amazon's resource names contain our account number. */
const resourceNames = /\barn:aws[\w-]{0,20}:\S{1,500}/g
const mailAddresses = /(?<![\w.+-])[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}/g

/** Keys with common prefixes, also when abbreviated with dots or asterisks, and our account ids at upstreams. */
const keys =
  /\b(?:[Bb]earer\s+\S+|Basic\s+[\w+/=-]{8,}|(?:sk|rk|gsk|xai|pplx|nvapi|csk|fw|hf|tgp|r8)[-_][\w.*…-]{3,}|AIza[\w-]{10,}|ya29\.[\w-]{10,}|(?:AKIA|ASIA|ABSK)[\w+/=-]{8,}|eyJ[\w-]{8,}(?:\.[\w-]+){0,2}|(?:org|proj|acct)[-_][A-Za-z0-9]{6,})/g

/** The headers that carry a key, in case an upstream echoes its request. */
const credentialHeaders =
  /\b(authorization|x-api-key|api-key|xi-api-key|x-goog-api-key|password)(["']?\s{0,4}[:=]\s{0,4}["']?)(?:(?:bearer|basic|token|key)\s+)?[^\s"']{1,2000}/gi

/** Values without a known prefix: hexadecimal keys, UUIDs, base64. */
const longTokens = /[A-Za-z0-9_][A-Za-z0-9+/_=-]{22,}/g

/** Ids that clients know from their own conversation. */
const clientIds = /^(?:call|toolu|tooluse|fc|rs|msg|resp|gen|chatcmpl)[-_]/
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i

/** Names of models, fields and paths are short words with separators. A token has a long run without one. */
function isLikelyToken(token: string): boolean {
  if (clientIds.test(token)) return false
  return (
    uuid.test(token) || token.split(/[/_-]/).some((run) => run.length >= 20 && /\d/.test(run) && /[a-z]/i.test(run))
  )
}

const fourNumbers = /(?<![\w.])((?:\d{1,3}\.){3}\d{1,3})(?::\d{1,5})?(?!\w)/g
const eightGroups = /(?<![\w:])\[?((?:[0-9a-f]{0,4}:){2,7}[0-9a-f.]{0,15})(?:%\w{1,15})?\]?(?::\d{1,5})?/gi

function withoutAddress(match: string, address: string): string {
  // Times such as 12:30:45 look like addresses.
  return isIP(address) === 0 ? match : redacted
}

/** A host without a public name, with or without its port. */
const internalNames =
  /\blocalhost\b(?::\d{1,5})?|(?<![a-z0-9.-])(?:[a-z0-9-]{1,63}\.){1,8}(?:local|localdomain|internal|intranet|lan|corp|svc|consul)\b(?::\d{1,5})?|(?<![a-z0-9.-])[a-z0-9]{1,63}(?:[.-][a-z0-9]{1,63}){1,8}:\d{4,5}\b/gi

function asPublic(text: string): PublicText {
  return text as PublicText
}

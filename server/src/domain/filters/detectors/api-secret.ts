import type { Span } from '../text/span.ts'
import type { Detector } from './detector.ts'
import { secretForms } from './secret-forms.ts'

/**
 * Keys and tokens: in the format of a known service, as the value of something named key, secret or token, or as the
 * password in a URL. Placeholders from manuals are skipped.
 */
export const findApiSecrets: Detector = (text) => [
  ...findKnownForms(text),
  ...findNamedSecrets(text),
  ...findUrlPasswords(text),
]

const knownForms = new RegExp(`(?<![A-Za-z0-9_])(?:${secretForms.join('|')})(?![A-Za-z0-9_])`, 'g')
/** The characters of every format. Most words are shorter than the shortest secret and are skipped. */
const runPattern = /[A-Za-z0-9_.~$|%+/=:-]+/g
const secretLengthMin = 20

function findKnownForms(text: string): Span[] {
  const found: Span[] = []
  for (const run of text.matchAll(runPattern)) {
    if (run[0].length < secretLengthMin) continue
    for (const { index, 0: secret } of run[0].matchAll(knownForms)) {
      const start = run.index + index
      if (!isPlaceholder(secret) && new Set(secret).size >= 10) found.push({ start, end: start + secret.length })
    }
  }
  return found
}

/** `api_key = "…"`, `"clientSecret": "…"`, `Authorization: Bearer …`, `export TOKEN=…`. */
const namedPattern =
  /(?:key|token|secret|bearer|passw(?:or)?d|pwd)["'`]?(?:\s{0,3}(?:[:=]|=>|:=|\bis\b)\s{0,3}|\s)["'`]?([A-Za-z0-9+/_=.~!@#$%^&*-]{16,200})/gi
/** `key` counts only with a qualifier before it; tokens, secrets and passwords count alone. */
const keyName = /(?:api|secret|access|account|encryption|master|signing|private)[_ -]?$/i
const wordEnd = /[A-Za-z]$/
const joinedName =
  /(?:access|auth|api|bearer|refresh|bot|deploy|session|security|personal|client|app|signing|webhook|shared|aws|my|db|root|admin|user)[_ -]?$/i

function findNamedSecrets(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(namedPattern)) {
    const value = (match[1] ?? '').replace(/[.!&#*@]+$/, '')
    const start = match.index + match[0].length - (match[1] ?? '').length
    if (isName(text, match) && isSecretValue(value)) found.push({ start, end: start + value.length })
  }
  return found
}

/** Whether the match is a separate word, not the end of `monkey`. */
function isName(text: string, { index, 0: found }: RegExpExecArray): boolean {
  const before = text.slice(Math.max(0, index - 20), index)
  if (/^key/i.test(found)) return keyName.test(before)
  return !wordEnd.test(before) || joinedName.test(before)
}

/** A random mix of letters and digits; not a variable name, a path, or a token with its own template. */
function isSecretValue(value: string): boolean {
  if (value.startsWith('eyJ') || /[A-Za-z_]\.[A-Za-z_]|^[/.]|:\/\//.test(value) || isPlaceholder(value)) return false
  return looksRandom(value)
}

const urlPattern = /\b[a-z][a-z0-9+.-]{1,30}:\/\/([^\s:/@"'<>]{0,64}):([^\s/@"'<>]{6,100})@[A-Za-z0-9[]/g
const usualPasswords =
  /^(?:password|passwd|passwort|secret|changeme|change_me|postgres|mysql|admin|root|guest|test|example|user|pass|pwd|dbpass\w*|mypassword|my[-_]?secret\w*)\d{0,3}!?$/i

function findUrlPasswords(text: string): Span[] {
  const found: Span[] = []
  for (const match of text.matchAll(urlPattern)) {
    const { 1: user = '', 2: password = '' } = match
    const end = match.index + match[0].length - 2
    const isUsual =
      password === user || usualPasswords.test(password) || isPlaceholder(password) || /[${}<>*]|^x+$/i.test(password)
    if (!isUsual) found.push({ start: end - password.length, end })
  }
  return found
}

/** Placeholder words that manuals use in place of a secret. */
const placeholderWords =
  /your|insert|replace|placeholder|change[-_]?me|redacted|dummy|sample|goes[-_]?here|[-_]here|todo|foo[-_]?bar|lorem|my[-_](?:api|secret|token|key)|(?:api|secret|access)[-_]?(?:key|token)[-_](?:for|of|here|name)|x{6,}|\*{4,}|\.{3}|0{10,}|1234567890123456|(.)\1{7,}/i

function isPlaceholder(secret: string): boolean {
  return placeholderWords.test(secret)
}

/** Whether letters and digits are mixed as in a random value, not as in words or names. */
function looksRandom(value: string): boolean {
  const digits = value.replaceAll(/\D/g, '').length
  const letters = value.replaceAll(/[^A-Za-z]/g, '').length
  // A long value in mixed case may have few digits.
  const isMixed = value.length >= 30 && /[a-z]/.test(value) && /[A-Z]/.test(value)
  if (digits < (isMixed ? 1 : 3) || letters < 3 || entropyOf(value) < 3.2) return false
  // Words have long runs of lower-case letters; random values have few.
  return !/[a-z]{9,}/.test(value) || value.length > 60
}

/** In bits per character. */
function entropyOf(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let entropy = 0
  for (const count of counts.values()) entropy -= (count / value.length) * Math.log2(count / value.length)
  return entropy
}

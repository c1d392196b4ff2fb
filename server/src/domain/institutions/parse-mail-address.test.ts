import { describe, expect, it } from 'vitest'
import { parseMailAddress } from './parse-mail-address.ts'

const long = (count: number, letter = 'a') => letter.repeat(count)

describe('[EDU-04] one plain address', () => {
  it.each([
    ['student@uni.edu', 'student@uni.edu', 'uni.edu'],
    ['Ada.Lovelace@Uni.EDU', 'ada.lovelace@uni.edu', 'uni.edu'],
    ['  pasted@uni.edu ', 'pasted@uni.edu', 'uni.edu'],
    ['a+tag@uni.edu', 'a+tag@uni.edu', 'uni.edu'],
    ["o'brien@uni.edu", "o'brien@uni.edu", 'uni.edu'],
    ['first_last-2@cs.uni.edu', 'first_last-2@cs.uni.edu', 'cs.uni.edu'],
    ['a@b-c.ac.uk', 'a@b-c.ac.uk', 'b-c.ac.uk'],
    ['a@1und1.de', 'a@1und1.de', '1und1.de'],
    ['x@münchen.de', 'x@xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['x@xn--mnchen-3ya.de', 'x@xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
    ['x@uni.xn--p1ai', 'x@uni.xn--p1ai', 'uni.xn--p1ai'],
    [`${long(64)}@uni.edu`, `${long(64)}@uni.edu`, 'uni.edu'],
    [`x@${long(63)}.edu`, `x@${long(63)}.edu`, `${long(63)}.edu`],
  ])('%s', (text, identity, domain) => {
    expect(parseMailAddress(text)).toMatchObject({ identity, domain })
  })

  it('goes to the mailbox as it was written, because some servers tell its letters apart', () => {
    expect(parseMailAddress('Ada.Lovelace@Uni.EDU')?.mailbox).toBe('Ada.Lovelace@uni.edu')
  })
})

// Some servers would deliver these to another mailbox than the domain says, or to several.
const tricks: readonly (readonly [name: string, text: string])[] = [
  ['two addresses', 'a@evil.com,b@uni.edu'],
  ['two addresses with a space', 'a@evil.com, b@uni.edu'],
  ['two addresses by semicolon', 'a@evil.com;b@uni.edu'],
  ['two addresses by space', 'a@evil.com b@uni.edu'],
  ['an address in brackets before the domain', '<a@evil.com>@uni.edu'],
  ['an address in brackets', '<a@uni.edu>'],
  ['brackets without an end', '<a@uni.edu'],
  ['a display name', 'Ada <a@uni.edu>'],
  ['a display name that is an address', 'b@uni.edu <a@evil.com>'],
  ['a quoted display name', '"b@uni.edu" <a@evil.com>'],
  ['a quoted local part', '"a"@uni.edu'],
  ['a quoted address as local part', '"a@evil.com"@uni.edu'],
  ['a quoted list', '"a@evil.com,b"@uni.edu'],
  ['a quote inside', 'a"b@uni.edu'],
  ['a backslash', 'a\\@evil.com@uni.edu'],
  ['two at signs', 'a@evil.com@uni.edu'],
  ['an empty middle', 'a@@uni.edu'],
  ['a comment before', '(b@evil.com)a@uni.edu'],
  ['a comment after', 'a@uni.edu(evil.com)'],
  ['a comment in the domain', 'a@uni(.evil.com).edu'],
  ['a group', 'friends:a@evil.com,b@uni.edu;'],
  ['a source route', '@evil.com:a@uni.edu'],
  ['the percent hack', 'a%evil.com@uni.edu'],
  ['a bang path', 'evil.com!a@uni.edu'],
  ['a pipe', '|cat@uni.edu'],
  ['a file', '/etc/passwd@uni.edu'],
  ['a command', '`id`@uni.edu'],
  ['a variable', '$HOME@uni.edu'],
  ['an option', '-oQ/tmp@uni.edu'],
  ['a carriage return and line feed', 'a@uni.edu\r\nBcc: b@evil.com'],
  ['a line feed', 'a@uni.edu\nRCPT TO:<b@evil.com>'],
  ['a carriage return', 'a@uni.edu\rb@evil.com'],
  ['a line feed at the end', 'a@uni.edu\n'],
  ['a line feed in the local part', 'a\n@uni.edu'],
  ['an encoded line feed', 'a%0d%0aRCPT@uni.edu'],
  ['a tab', 'a\t@uni.edu'],
  ['a null byte', 'a@uni.edu\0@evil.com'],
  ['a null byte in the local part', 'a\0@uni.edu'],
  ['an escape character', '\u001b[2Ja@uni.edu'],
  ['a vertical tab', 'a@uni.edu\u000b'],
  ['delete', 'a\u007f@uni.edu'],
  ['a no-break space', 'a@uni.edu\u00a0'],
  ['a line separator', 'a@uni.edu\u2028b@evil.com'],
  ['a zero-width space', 'a@uni\u200b.edu'],
  ['a zero-width joiner in the local part', 'a\u200db@uni.edu'],
  ['right-to-left override', 'a@\u202eude.inu'],
  ['a byte order mark', '\ufeffa@uni.edu'],
  ['a soft hyphen', 'a@uni\u00ad.edu'],
  ['wide letters', 'a@ｕｎｉ.edu'],
  ['a wide at sign', 'a＠uni.edu'],
  ['a wide full stop', 'a@uni．edu'],
  ['an ideographic full stop', 'a@uni。edu'],
  ['the sign for Kelvin', 'a@\u212aings.edu'],
  ['a dotted capital I', 'a@un\u0130.edu'],
  ['a letter of another alphabet in the local part', 'аdmin@uni.edu'],
  ['an accent in the local part', 'adé@uni.edu'],
  ['a dot at the start', '.a@uni.edu'],
  ['a dot at the end', 'a.@uni.edu'],
  ['two dots', 'a..b@uni.edu'],
  ['a dot after the domain', 'a@uni.edu.'],
  ['two dots in the domain', 'a@uni..edu'],
  ['a dot before the domain', 'a@.uni.edu'],
  ['a hyphen before a label', 'a@-uni.edu'],
  ['a hyphen after a label', 'a@uni-.edu'],
  ['an underscore in the domain', 'a@uni_x.edu'],
  ['one label', 'a@localhost'],
  ['an address literal', 'a@[127.0.0.1]'],
  ['an IPv6 literal', 'a@[IPv6:::1]'],
  ['a bare address', 'a@127.0.0.1'],
  ['a number', 'a@2130706433'],
  ['a port', 'a@uni.edu:25'],
  ['a path', 'a@uni.edu/evil.com'],
  ['a query', 'a@uni.edu?cc=b@evil.com'],
  ['a fragment', 'a@uni.edu#evil.com'],
  ['a URL', 'mailto:a@uni.edu'],
  ['percent encoding', 'a%40uni.edu'],
  ['punycode that is none', 'a@xn--.edu'],
  ['nothing before', '@uni.edu'],
  ['nothing after', 'a@'],
  ['nothing', ''],
  ['spaces', '   '],
  ['no at sign', 'uni.edu'],
  ['a local part of 65', `${long(65)}@uni.edu`],
  ['a label of 64', `a@${long(64)}.edu`],
  ['a domain of 254', `a@${`${long(49)}.`.repeat(5)}edu1`],
  ['255 characters', `a@${`${long(61)}.`.repeat(4)}com${long(2)}`],
  ['a megabyte', `${long(1_000_000)}@uni.edu`],
  ['a megabyte of dots', `${'.'.repeat(1_000_000)}@uni.edu`],
]

describe('[EDU-04] an address trick is no address', () => {
  it.each(tricks)('%s', (_name, text) => {
    expect(parseMailAddress(text)).toBeUndefined()
  })

  it.each([
    ['a letter of another alphabet', 'a@unі.edu'],
    ['an accent', 'a@úni.edu'],
    ['punycode', 'a@xn--ni-xka.edu'],
    ['a suffix', 'a@evil-uni.edu'],
    ['a prefix', 'a@uni.edu.evil.com'],
    ['a subdomain', 'a@sub.uni.edu'],
  ])('%s is an address of another domain', (_name, text) => {
    expect(parseMailAddress(text)?.domain).not.toBe('uni.edu')
  })
})

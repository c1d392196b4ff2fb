import { describe, expect, it } from 'vitest'
import { matchesFilter } from './match-filter.ts'
import { parsePatchPath } from './patch-path.ts'
import { type Literal, parseScimFilter } from './scim-filter.ts'
import { ScimRefusal } from './scim-refusal.ts'

const bjensen: Readonly<Record<string, Literal>> = {
  username: 'bjensen',
  'name.familyname': "O'Malley",
  title: 'Tour Guide',
  'meta.lastmodified': '2011-05-13T04:42:34Z',
  usertype: 'Employee',
  schemas: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  emails: 'bjensen@example.com',
  'emails.type': 'work',
  'emails.value': 'bjensen@example.com',
  active: true,
}

describe('a filter', () => {
  // The first rows are the examples of RFC 7644, section 3.4.2.2. The others are what directories send.
  it.each([
    ['userName eq "bjensen"', true],
    [`name.familyName co "O'Malley"`, true],
    ['userName sw "J"', false],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName sw "B"', true],
    ['title pr', true],
    ['meta.lastModified gt "2011-05-13T04:42:34Z"', false],
    ['meta.lastModified ge "2011-05-13T04:42:34Z"', true],
    ['meta.lastModified lt "2011-05-13T04:42:34Z"', false],
    ['meta.lastModified le "2011-05-13T04:42:34Z"', true],
    ['title pr and userType eq "Employee"', true],
    ['title pr or userType eq "Intern"', true],
    ['schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"', true],
    ['userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")', true],
    ['userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")', false],
    ['userType eq "Employee" and (emails.type eq "work")', true],
    ['userType eq "Employee" and emails[type eq "work" and value co "@example.com"]', true],
    ['emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]', true],
    ['userName Eq "BJENSEN"', true],
    ['emails[type eq "work"].value eq "bjensen@example.com"', true],
    ['emails[type eq "home"].value eq "bjensen@example.com"', false],
    ['active eq true', true],
    ['active eq false', false],
    ['externalId eq null', true],
    ['userName ew "sen"', true],
    ['title pr or title pr and userName eq "no"', true],
    ['(title pr or title pr) and userName eq "no"', false],
    ['userName eq "bj\\u0065nsen"', true],
    ['not (userName eq "x") and not (title pr)', false],
  ])('%s is %s', (text, expected) => {
    expect(matchesFilter(parseScimFilter(text), (attribute) => bjensen[attribute])).toBe(expected)
  })

  it.each([
    '',
    'userName',
    'userName eq',
    'userName is "x"',
    'userName eq x',
    'userName eq "x" and',
    'userName eq "x" userName',
    'userName eq "x"x"',
    'userName eq "x',
    'userName eq "\\q"',
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    '(userName eq "x"',
    'userName eq "x")',
    'not userName pr',
    'emails[type eq "work"',
    'emails[type eq "work"].value',
    'emails[].value eq "x"',
    'a eq 1x',
    'a eq 1;DROP',
    `userName eq "${'x'.repeat(2_000)}"`,
    `${'('.repeat(18)}a pr${')'.repeat(18)}`,
    `${'not ('.repeat(18)}a pr${')'.repeat(18)}`,
  ])('refuses %s', (text) => {
    expect(() => parseScimFilter(text)).toThrow(ScimRefusal)
  })

  it.each([
    ['an open string of newlines', `a eq "${'\n'.repeat(1_900)}`],
    ['backslashes', `a eq "${'\\'.repeat(1_900)}`],
    ['brackets', '['.repeat(2_000)],
    ['parentheses', '('.repeat(2_000)],
    ['dots', `a${'.a'.repeat(990)}`],
    ['digits', `a eq ${'1'.repeat(1_900)}x`],
    ['many conditions', Array.from({ length: 100 }, () => 'a pr').join(' or ')],
  ])('reads %s in little time', (_name, text) => {
    const steps = () => {
      try {
        parseScimFilter(text)
      } catch (error) {
        expect(error).toBeInstanceOf(ScimRefusal)
      }
    }
    // A pattern that backtracks would need years for these; a linear one needs microseconds each.
    for (let times = 0; times < 50; times += 1) steps()
  })
})

describe('a path', () => {
  it.each([
    ['userName', { attribute: 'username', filter: null, subAttribute: null }],
    ['name.givenName', { attribute: 'name', filter: null, subAttribute: 'givenname' }],
    [
      'urn:ietf:params:scim:schemas:core:2.0:User:name.familyName',
      { attribute: 'name', filter: null, subAttribute: 'familyname' },
    ],
    [
      'emails[type eq "work"].value',
      {
        attribute: 'emails',
        filter: { kind: 'compare', attribute: 'type', operator: 'eq', value: 'work' },
        subAttribute: 'value',
      },
    ],
    [
      'members[value eq "2819c223"]',
      {
        attribute: 'members',
        filter: { kind: 'compare', attribute: 'value', operator: 'eq', value: '2819c223' },
        subAttribute: null,
      },
    ],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department',
      {
        attribute: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:user:department',
        filter: null,
        subAttribute: null,
      },
    ],
  ])('%s is read', (text, expected) => {
    expect(parsePatchPath(text)).toEqual(expected)
  })

  it.each(['[type eq "work"]', 'emails[', 'emails[type]', 'emails[type eq "work"]value', 'a b', '"a"'])(
    'refuses %s as a path',
    (text) => {
      expect(() => parsePatchPath(text)).toThrow(expect.objectContaining({ scimType: 'invalidPath' }))
    },
  )
})

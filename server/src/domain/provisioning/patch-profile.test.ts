import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { patchProfile } from './patch-profile.ts'
import { readPatch } from './read-patch.ts'
import { readScimUser, type ScimProfile, shownName } from './scim-profile.ts'

const ada: ScimProfile = {
  userName: 'ada@acme.example',
  externalId: 'e-1',
  email: 'ada@acme.example',
  active: true,
  displayName: 'Ada',
  givenName: 'Ada',
  familyName: 'King',
  formatted: null,
}

const patched = (...Operations: JsonObject[]): ScimProfile => patchProfile(ada, readPatch({ Operations }))

describe('a PATCH that repeats one attribute in many spellings', () => {
  const spellings = Object.fromEntries(
    Array.from({ length: 32 }, (_, bits) => [
      [...'email'].map((letter, at) => (bits & (1 << at) ? letter.toUpperCase() : letter)).join('') + 's',
      'ada@new.example',
    ]),
  )

  it('has as many operations as attributes', () => {
    const operations = Array.from({ length: 32 }, () => ({ op: 'add', value: spellings }))
    expect(() => readPatch({ Operations: operations })).toThrow('at most 1000 operations')
  })

  it('adds a bounded number of addresses', () => {
    expect(() => patched({ op: 'add', value: spellings })).toThrow('at most 20 values')
  })
})

describe('a PATCH of a user', () => {
  const work = { type: 'work', value: 'ada@new.example' }
  it.each<[string, JsonObject[], Partial<ScimProfile>]>([
    ['deactivation by Entra', [{ op: 'Replace', path: 'active', value: 'False' }], { active: false }],
    ['deactivation by Okta', [{ op: 'replace', value: { active: false } }], { active: false }],
    ['activation in words', [{ op: 'add', path: 'active', value: 'TRUE' }], { active: true }],
    ['a name', [{ op: 'Replace', path: 'name.familyName', value: 'Lovelace' }], { familyName: 'Lovelace' }],
    [
      'names with dots and no path',
      [{ op: 'Add', value: { 'name.givenName': 'Augusta', displayName: 'A. King' } }],
      { givenName: 'Augusta', displayName: 'A. King' },
    ],
    [
      'an object of names',
      [{ op: 'replace', path: 'name', value: { givenName: 'Augusta', formatted: 'Augusta King' } }],
      { givenName: 'Augusta', formatted: 'Augusta King' },
    ],
    ['a removed name', [{ op: 'remove', path: 'displayName' }], { displayName: null }],
    ['all names removed', [{ op: 'remove', path: 'name' }], { givenName: null, familyName: null }],
    [
      'the address of work',
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: work.value }],
      { email: work.value },
    ],
    [
      'the primary address',
      [{ op: 'replace', path: 'emails[primary eq true].value', value: 'Ada@New.Example' }],
      { email: work.value },
    ],
    ['addresses as a whole', [{ op: 'replace', path: 'emails', value: [work] }], { email: work.value }],
    [
      'a new address of work',
      [{ op: 'add', path: 'emails', value: [{ ...work, primary: true }] }],
      { email: work.value },
    ],
    [
      'an address of another kind',
      [{ op: 'add', path: 'emails[type eq "home"].value', value: 'ada@home.example' }],
      {},
    ],
    [
      'an address as an object',
      [{ op: 'replace', path: 'emails[type eq "work"]', value: { value: work.value } }],
      { email: work.value },
    ],
    ['no address: the user name is one', [{ op: 'remove', path: 'emails' }], {}],
    ['an address of a type that there is not', [{ op: 'remove', path: 'emails[type eq "home"]' }], {}],
    [
      'several operations in order',
      [
        { op: 'Replace', path: 'userName', value: 'king@acme.example' },
        { op: 'Add', path: 'externalId', value: 'e-2' },
        { op: 'Replace', path: 'active', value: 'False' },
        { op: 'Replace', path: 'active', value: 'True' },
      ],
      { userName: 'king@acme.example', externalId: 'e-2' },
    ],
    [
      'attributes that are not kept',
      [
        { op: 'Add', path: 'title', value: 'Countess' },
        { op: 'Replace', path: 'addresses[type eq "work"].formatted', value: 'London' },
        { op: 'Add', path: 'phoneNumbers[type eq "work"].value', value: '1' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Maths' },
        { op: 'replace', value: { schemas: ['x'], id: 'x', password: 'secret' } },
        { op: 'add', path: 'name.constructor', value: 'x' },
        { op: 'add', path: 'name.honorificPrefix', value: 'Lady' },
      ],
      {},
    ],
  ])('%s', (_name, operations, expected) => {
    expect(patched(...operations)).toEqual({ ...ada, ...expected })
  })

  it.each<[string, JsonObject, string]>([
    ['no operations', { Operations: [] }, 'invalidSyntax'],
    ['operations that are no array', { Operations: {} }, 'invalidSyntax'],
    ['an operation that is no object', { Operations: ['add'] }, 'invalidSyntax'],
    ['an unknown operation', { Operations: [{ op: 'move', path: 'active' }] }, 'invalidSyntax'],
    [
      'too many operations',
      { Operations: Array.from({ length: 1_001 }, () => ({ op: 'remove', path: 'title' })) },
      'tooMany',
    ],
    ['a removal without a path', { Operations: [{ op: 'remove' }] }, 'noTarget'],
    ['an addition without a value', { Operations: [{ op: 'add', path: 'active' }] }, 'invalidValue'],
    ['a value without a path that is no object', { Operations: [{ op: 'add', value: 'x' }] }, 'invalidValue'],
    ['an unknown attribute', { Operations: [{ op: 'add', path: 'shoeSize', value: 44 }] }, 'invalidPath'],
    ['a path that is no string', { Operations: [{ op: 'add', path: 1, value: 44 }] }, 'invalidPath'],
    [
      'an unknown attribute of an address',
      { Operations: [{ op: 'add', path: 'emails.size', value: 1 }] },
      'invalidPath',
    ],
    ['the groups of a user', { Operations: [{ op: 'add', path: 'groups', value: [] }] }, 'mutability'],
    ['a removed state', { Operations: [{ op: 'remove', path: 'active' }] }, 'mutability'],
    ['a state that is none', { Operations: [{ op: 'add', path: 'active', value: 'no' }] }, 'invalidValue'],
    ['an empty user name', { Operations: [{ op: 'replace', path: 'userName', value: ' ' }] }, 'invalidValue'],
    ['a name of two lines', { Operations: [{ op: 'add', path: 'displayName', value: 'a\nb' }] }, 'invalidValue'],
    [
      'an address that is none',
      { Operations: [{ op: 'replace', path: 'emails', value: [{ value: 'x' }] }] },
      'invalidValue',
    ],
    [
      'a filter that finds no address',
      { Operations: [{ op: 'add', path: 'emails[value co "x@y"].type', value: 'z' }] },
      'noTarget',
    ],
  ])('refuses %s', (_name, body, scimType) => {
    expect(() => patchProfile(ada, readPatch(body))).toThrow(expect.objectContaining({ scimType }))
  })
})

describe('the body of a user', () => {
  it.each<[string, JsonObject, string]>([
    [
      'the primary address',
      {
        emails: [
          { value: 'a@a.example', type: 'work' },
          { value: 'b@a.example', primary: true },
        ],
      },
      'b@a.example',
    ],
    [
      'that of work',
      {
        emails: [
          { value: 'a@a.example', type: 'home' },
          { value: 'b@a.example', type: 'Work' },
        ],
      },
      'b@a.example',
    ],
    ['the first', { emails: [{ value: 'A@a.example' }, { value: 'b@a.example' }] }, 'a@a.example'],
    ['the user name', {}, 'u@a.example'],
    ['the user name if addresses are empty', { emails: [{ value: '' }] }, 'u@a.example'],
  ])('chooses %s', (_name, body, email) => {
    expect(readScimUser({ userName: 'u@a.example', ...body }).email).toBe(email)
  })

  it.each<[string, JsonObject]>([
    ['no user name', { emails: [{ value: 'a@a.example' }] }],
    ['no address', { userName: 'ada' }],
    ['a user name that is no string', { userName: 1 }],
    ['addresses that are numbers', { userName: 'ada', emails: [1] }],
    ['too many addresses', { userName: 'ada', emails: Array.from({ length: 21 }, () => ({ value: 'a@a.example' })) }],
  ])('refuses %s', (_name, body) => {
    expect(() => readScimUser(body)).toThrow(expect.objectContaining({ scimType: 'invalidValue' }))
  })

  it.each<[Partial<ScimProfile>, string]>([
    [{ displayName: 'Ada K.' }, 'Ada K.'],
    [{ displayName: null, formatted: 'Ada King' }, 'Ada King'],
    [{ displayName: null, formatted: null }, 'Ada King'],
    [{ displayName: null, formatted: null, givenName: null }, 'King'],
    [{ displayName: null, formatted: null, givenName: null, familyName: null }, 'ada'],
  ])('shows %j as %s', (names, expected) => {
    expect(shownName({ ...ada, ...names }, ada.email)).toBe(expected)
  })
})

import { describe, expect, it } from 'vitest'
import { endUserOf } from './end-user.ts'

describe('the user that a request names', () => {
  it.each([
    ['chat', { user: 'ada' }, { endUser: 'ada' }],
    ['responses', { user: 'ada', metadata: { user_id: 'bob' } }, { endUser: 'ada' }],
    ['chat', { metadata: { user_id: 'bob' } }, {}],
    ['messages', { metadata: { user_id: 'bob' } }, { endUser: 'bob' }],
    ['messages', { user: 'ada' }, {}],
    ['messages', { metadata: null }, {}],
    ['messages', { metadata: 'user_id' }, {}],
    ['chat', { user: '' }, {}],
    ['chat', { user: 7 }, {}],
    ['chat', { user: 'u'.repeat(256) }, { endUser: 'u'.repeat(256) }],
    ['chat', { user: 'u'.repeat(257) }, {}],
  ])('of %s with %j is %j', (endpoint, body, expected) => {
    expect(endUserOf(endpoint, body)).toEqual(expected)
  })
})

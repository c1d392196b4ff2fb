import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import type { Endpoint } from './endpoint.ts'
import { errorsOf } from './errors-of.ts'

const endpoint = (facts: Partial<Endpoint>): Endpoint => ({
  name: 'example',
  method: 'GET',
  paths: ['/v1/example'],
  tag: 'Account',
  summary: 'An example',
  access: 'account.read',
  reply: { status: 200, description: 'Nothing.', schema: Type.Object({}) },
  handle: async () => ({}),
  ...facts,
})

describe('the errors of an endpoint', () => {
  it('are its own alone where everybody may call it', () => {
    expect(errorsOf(endpoint({ access: 'models.read', errors: ['modelNotFound'] }))).toEqual(['modelNotFound'])
  })

  it('begin with its own, and name each once', () => {
    const errors = errorsOf(endpoint({ errors: ['conflict', 'forbidden'] }))
    expect(errors.slice(0, 2)).toEqual(['conflict', 'forbidden'])
    expect(new Set(errors).size).toBe(errors.length)
  })

  it('follow from the credentials that are asked for', () => {
    const common = ['unauthenticated', 'forbidden', 'accountSuspended']
    const limits = ['rateLimited', 'penaltyBlocked', 'storeUnavailable']
    expect(errorsOf(endpoint({}))).toEqual([...common, ...limits])
    const operators = ['secondFactorRequired', 'staleSession']
    expect(errorsOf(endpoint({ access: 'operators.brake' }))).toEqual([...common, ...operators, ...limits])
    expect(errorsOf(endpoint({ isUnlimited: true }))).toEqual([...common, 'storeUnavailable'])
  })

  it('count a foreign origin where a session may write', () => {
    expect(errorsOf(endpoint({ access: 'keys.manage', method: 'DELETE' }))).toContain('foreignOrigin')
    expect(errorsOf(endpoint({ access: 'keys.manage' }))).not.toContain('foreignOrigin')
    expect(errorsOf(endpoint({ access: 'ownKeys.manage', method: 'DELETE' }))).not.toContain('foreignOrigin')
  })

  it('count what is not found where an organization is opened', () => {
    expect(errorsOf(endpoint({ access: 'teams.read' }))).toContain('notFound')
    expect(errorsOf(endpoint({}))).not.toContain('notFound')
  })

  it('follow from a body', () => {
    const added = ['malformedRequest', 'bodyTooSlow', 'bodyTooLarge', 'unsupportedMediaType', 'overloaded']
    expect(errorsOf(endpoint({ access: 'institutions.enter', body: Type.Object({}) }))).toEqual(added)
  })
})

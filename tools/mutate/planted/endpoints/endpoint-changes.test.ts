import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../../../lib/repository-root.ts'
import { applyEdits } from '../../lib/edit.ts'
import { type ChangeableEndpoint, type ChangeName, type EndpointChange, endpointChanges } from './change-endpoint.ts'
import { endpointName } from './endpoint-name.ts'
import { halvedLimits } from './halved-limits.ts'

const endpoint: ChangeableEndpoint = {
  method: 'GET',
  paths: ['/v1/things/:id', '/v1/items/:id'],
  row: {
    summary: 'Read a thing',
    credentials: ['standard_key', 'session'],
    within: 'organization',
    roles: { org_admin: 'organization', team_admin: 'own_team' },
  },
  alsoHead: false,
  isUnlimited: false,
  acceptsApiKeyHeader: false,
}
const { row } = endpoint
const open = { ...endpoint, row: { ...row, credentials: [] } }
const change: (kind: ChangeName, changed?: ChangeableEndpoint) => ReturnType<EndpointChange> = (
  kind,
  changed = endpoint,
) => endpointChanges[kind](changed, (method) => method === changed.method)

const isGetOrPut = (method: string): boolean => ['GET', 'PUT'].includes(method)

describe('a change of an endpoint', () => {
  it.each<[ChangeName, object]>([
    ['credential added', { row: { ...row, credentials: ['standard_key', 'session', 'management_key'] } }],
    ['credential dropped', { row: { ...row, credentials: ['standard_key'] } }],
    ['role added', { row: { ...row, roles: { ...row.roles, member: 'organization' } } }],
    ['role dropped', { row: { ...row, roles: { org_admin: 'organization' } } }],
    ['method changed', { method: 'POST' }],
    ['path changed', { paths: ['/v1/things/:id-planted', '/v1/items/:id'] }],
    ['alias changed', { paths: ['/v1/things/:id', '/v1/items/:id-planted'] }],
    ['HEAD flipped', { alsoHead: true }],
    ['rate flipped', { isUnlimited: true }],
    ['key header flipped', { acceptsApiKeyHeader: true }],
  ])('%s', (kind, expected) => {
    expect(change(kind)).toEqual(expected)
  })

  it('lets a key in where everybody was', () => {
    expect(change('credential dropped', open)?.row?.credentials).toEqual(['standard_key'])
  })

  it('is none where there is nothing to change', () => {
    expect(change('credential added', open)).toBeNull()
    expect(change('rate flipped', open)).toBeNull()
    expect(change('role added', { ...endpoint, row: { ...row, within: 'account' } })).toBeNull()
    expect(change('alias changed', { ...endpoint, paths: ['/v1/things'] })).toBeNull()
  })

  it('gives all endpoints of a path other methods, and none twice', () => {
    const changeMethod = endpointChanges['method changed']
    expect(changeMethod(endpoint, isGetOrPut)).toEqual({ method: 'POST' })
    expect(changeMethod({ ...endpoint, method: 'PUT' }, isGetOrPut)).toEqual({ method: 'PATCH' })
  })

  it('is named as tests name the endpoint', () => {
    expect(endpointName('path changed', endpoint)).toBe('GET /v1/things/{id}')
    expect(endpointName('alias changed', endpoint)).toBe('GET /v1/items/{id}')
    expect(endpointName('HEAD flipped', endpoint)).toBe('HEAD /v1/things/{id}')
  })
})

describe('a halved limit', () => {
  it.each(halvedLimits)('of $what has one place in the source, and tests', (limit) => {
    const text = readFileSync(join(repositoryRoot, limit.file), 'utf8')
    expect(applyEdits(text, [limit])).not.toBe(text)
    for (const path of limit.tests) expect([path, existsSync(join(repositoryRoot, path))]).toEqual([path, true])
  })
})

import type { AccessRow } from '../../../../server/src/domain/access/access-row.ts'
import type { Credential } from '../../../../server/src/domain/access/client.ts'
import type { Role } from '../../../../server/src/domain/access/roles.ts'

/** The parts of an endpoint that can be changed. Inference endpoints are all `POST`. */
export type ChangeableEndpoint = {
  readonly method: string
  readonly paths: readonly string[]
  readonly row: AccessRow
  readonly alsoHead: boolean
  readonly isUnlimited: boolean
  readonly acceptsApiKeyHeader: boolean
}

/** The changes that can be planted in an endpoint. */
export const endpointChanges = {
  'credential added': ({ row }) =>
    rowOr(row.credentials.length > 0, row, { credentials: withAnother(row.credentials) }),
  'credential dropped': ({ row }) => rowOr(true, row, { credentials: withFewer(row.credentials) }),
  'role added': ({ row }) => rowOr(isWithin(row), row, { roles: withRole(row.roles ?? {}) }),
  'role dropped': ({ row }) => rowOr(isWithin(row), row, { roles: withoutRole(row.roles ?? {}) }),
  'method changed': ({ method, paths }, isTaken) => {
    // Endpoints with the same path change together, so each gets a different method.
    const taken = methods.filter((each) => isTaken(each, paths))
    const free = methods.filter((each) => !taken.includes(each))[taken.indexOf(method)]
    return free === undefined ? null : { method: free }
  },
  'path changed': ({ paths: [first = '', ...others] }) => ({ paths: [`${first}-planted`, ...others] }),
  'alias changed': ({ paths: [first = '', second, ...others] }) =>
    second === undefined ? null : { paths: [first, `${second}-planted`, ...others] },
  'HEAD flipped': ({ method, alsoHead }) => (method === 'GET' ? { alsoHead: !alsoHead } : null),
  'rate flipped': ({ isUnlimited, row }) => (row.credentials.length > 0 ? { isUnlimited: !isUnlimited } : null),
  'key header flipped': ({ acceptsApiKeyHeader, row }) =>
    row.credentials.length > 0 ? { acceptsApiKeyHeader: !acceptsApiKeyHeader } : null,
} as const satisfies Record<string, EndpointChange>

export type ChangeName = keyof typeof endpointChanges

/** Returns null if the change does not apply to the endpoint. */
export type EndpointChange = (
  endpoint: ChangeableEndpoint,
  isTaken: (method: string, paths: readonly string[]) => boolean,
) => Partial<ChangeableEndpoint> | null

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
const credentials: readonly Credential[] = [
  'standard_key',
  'management_key',
  'session',
  'institution_session',
  'customer_token',
  'operator_key',
]
const roles: readonly Role[] = ['member', 'billing_viewer', 'team_admin', 'org_admin']

function rowOr(isMeant: boolean, row: AccessRow, change: Partial<AccessRow>): Partial<ChangeableEndpoint> | null {
  return isMeant ? { row: { ...row, ...change } } : null
}

function isWithin({ within }: AccessRow): boolean {
  return within === 'organization'
}

function withAnother(accepted: readonly Credential[]): Credential[] {
  const another = credentials.find((credential) => !accepted.includes(credential))
  return another === undefined ? [...accepted] : [...accepted, another]
}

/** Removes the last credential, replaces the only one, or requires a key for a public endpoint. */
function withFewer(accepted: readonly Credential[]): Credential[] {
  if (accepted.length === 0) return ['standard_key']
  return accepted.length > 1 ? accepted.slice(0, -1) : credentials.filter((each) => each !== accepted[0]).slice(0, 1)
}

function withRole(reaches: NonNullable<AccessRow['roles']>): NonNullable<AccessRow['roles']> {
  const missing = roles.find((role) => reaches[role] === undefined)
  return missing === undefined ? reaches : { ...reaches, [missing]: 'organization' }
}

function withoutRole(reaches: NonNullable<AccessRow['roles']>): NonNullable<AccessRow['roles']> {
  return Object.fromEntries(Object.entries(reaches).slice(0, -1))
}

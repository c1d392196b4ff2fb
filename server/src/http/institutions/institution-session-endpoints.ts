import { Type } from 'typebox'
import {
  type InstitutionDeps,
  missingInstitutionKey,
  missingInstitutionSession,
} from '#control/institutions/change-institution-key.ts'
import { revokeInstitutionSessions } from '#control/institutions/revoke-institution-sessions.ts'
import { parseMailAddress } from '#domain/institutions/parse-mail-address.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid } from '#lib/uuid.ts'
import { auditStampOf } from '../author-of.ts'
import type { Endpoint, EndpointRequest } from '../endpoint.ts'
import { institutionKeyOf } from './institution-key-of.ts'
import { revokedSchema, sessionsQuerySchema, sessionsSchema } from './institution-schema.ts'
import { renderSession } from './render-institution.ts'

const listPath = '/api/orgs/:orgId/institution-keys/:institutionKeyId/sessions'

/** Institution sessions, for the organization's administrators. */
export function institutionSessionEndpoints(deps: InstitutionDeps): Endpoint[] {
  const common = { tag: 'Institutions', access: 'institutions.manage' } as const
  return [
    {
      ...common,
      name: 'listInstitutionSessions',
      method: 'GET',
      paths: [listPath],
      summary: 'List sessions of an institution key',
      query: sessionsQuerySchema,
      reply: { status: 200, description: 'The sessions, newest first, without tokens.', schema: sessionsSchema },
      errors: ['malformedRequest'],
      handle: async (request) => {
        const reference = institutionKeyOf(request)
        if ((await deps.store.find(reference)) === null) throw missingInstitutionKey()
        const { nowMs } = request
        const query = { ...reference, ...readQuery(request.query), nowMs }
        const { sessions, total } = await deps.store.listSessions(query)
        return { body: { data: sessions.map((session) => renderSession(session, nowMs)), total_count: total } }
      },
    },
    {
      ...common,
      name: 'revokeInstitutionSessions',
      method: 'DELETE',
      paths: [listPath],
      summary: 'Revoke all sessions of an email address',
      query: Type.Object({ email: Type.String({ description: 'Email address whose sessions are revoked.' }) }),
      reply: { status: 200, description: 'The number of sessions revoked.', schema: revokedSchema },
      errors: ['malformedRequest', 'missingRequiredField'],
      handle: async (request) => {
        const which = { email: requiredEmail(request.query) }
        const change = { which, stamp: auditStampOf(request) }
        return { body: { revoked: await revokeInstitutionSessions(deps, institutionKeyOf(request), change) } }
      },
    },
    {
      ...common,
      name: 'revokeInstitutionSession',
      method: 'DELETE',
      paths: [`${listPath}/:sessionId`],
      summary: 'Revoke a session',
      reply: { status: 204, description: 'The session was revoked.', schema: Type.Null() },
      handle: async (request) => {
        const sessionId = request.params['sessionId'] ?? ''
        const reference = institutionKeyOf(request)
        if (!isUuid(sessionId)) throw missingInstitutionSession()
        const change = { which: { sessionId }, stamp: auditStampOf(request) }
        if ((await revokeInstitutionSessions(deps, reference, change)) === 0) throw missingInstitutionSession()
        return { status: 204 }
      },
    },
  ]
}

const pageMax = 200
const offsetMax = 1_000_000

function readQuery(query: EndpointRequest['query']) {
  const { status = 'active', email } = query
  if (status !== 'active' && status !== 'all') throw malformed('status must be "active" or "all".')
  return {
    email: email === undefined ? null : identityOf(email),
    activeOnly: status === 'active',
    limit: readCount(query, 'limit', { fallback: 50, min: 1, max: pageMax }),
    offset: readCount(query, 'offset', { fallback: 0, min: 0, max: offsetMax }),
  }
}

function readCount(
  query: EndpointRequest['query'],
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const text = query[name]
  if (text === undefined) return fallback
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
  if (count >= min && count <= max) return count
  throw malformed(`${name} must be an integer from ${min} to ${max}.`)
}

function requiredEmail({ email }: EndpointRequest['query']): string {
  if (email !== undefined && email !== '') return identityOf(email)
  throw new GatewayError('missingRequiredField', { message: 'The query parameter email is required.' })
}

// A string that is not an address matches no person, but it must be valid for a search in the store.
function identityOf(email: string): string {
  if (email.includes('\0')) throw malformed('The query parameter email must be an email address.')
  return parseMailAddress(email)?.identity ?? email.trim().toLowerCase()
}

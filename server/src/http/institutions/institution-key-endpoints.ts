import { Type } from 'typebox'
import {
  changeInstitutionKey,
  deleteInstitutionKey,
  type InstitutionDeps,
} from '#control/institutions/change-institution-key.ts'
import { createInstitutionKey } from '#control/institutions/create-institution-key.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { institutionKeyOf } from './institution-key-of.ts'
import {
  createdInstitutionKeySchema,
  institutionKeyChangeSchema,
  institutionKeySchema,
  institutionKeysSchema,
  newInstitutionKeySchema,
} from './institution-schema.ts'
import { renderInstitutionKey } from './render-institution.ts'

const listPath = '/api/orgs/:orgId/institution-keys'
const onePath = `${listPath}/:institutionKeyId`

/** Institution keys, for the organization's administrators. */
export function institutionKeyEndpoints(deps: InstitutionDeps): Endpoint[] {
  const common = { tag: 'Institutions', access: 'institutions.manage' } as const
  return [
    {
      ...common,
      name: 'listInstitutionKeys',
      method: 'GET',
      paths: [listPath],
      summary: 'List institution keys',
      reply: { status: 200, description: 'The institution keys, without secrets.', schema: institutionKeysSchema },
      handle: async (request) => {
        const keys = await deps.store.list(organizationOf(request).organizationId)
        return { body: { data: keys.map(renderInstitutionKey), total_count: keys.length } }
      },
    },
    {
      ...common,
      name: 'createInstitutionKey',
      method: 'POST',
      paths: [listPath],
      summary: 'Create an institution key',
      body: newInstitutionKeySchema,
      reply: {
        status: 201,
        description: 'The new institution key, including its secret.',
        schema: createdInstitutionKeySchema,
      },
      errors: ['conflict'],
      handle: async (request) => {
        const { organizationId } = organizationOf(request)
        const input = { organizationId, body: request.body, stamp: auditStampOf(request), nowMs: request.nowMs }
        const made = await createInstitutionKey(deps.store, input)
        return { body: { data: { ...renderInstitutionKey(made.key), key: made.secret } } }
      },
    },
    {
      ...common,
      name: 'changeInstitutionKey',
      method: 'PATCH',
      paths: [onePath],
      summary: 'Update an institution key',
      body: institutionKeyChangeSchema,
      reply: { status: 200, description: 'The updated institution key.', schema: institutionKeySchema },
      handle: async (request) => {
        const change = { body: request.body, stamp: auditStampOf(request) }
        return {
          body: { data: renderInstitutionKey(await changeInstitutionKey(deps, institutionKeyOf(request), change)) },
        }
      },
    },
    {
      ...common,
      name: 'deleteInstitutionKey',
      method: 'DELETE',
      paths: [onePath],
      summary: 'Delete an institution key',
      reply: {
        status: 204,
        description: 'The key was permanently deleted, and its sessions ended.',
        schema: Type.Null(),
      },
      handle: async (request) => {
        await deleteInstitutionKey(deps, institutionKeyOf(request), auditStampOf(request))
        return { status: 204 }
      },
    },
  ]
}

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

/** The keys that people of an institution come in with, for the organization's administrators. */
export function institutionKeyEndpoints(deps: InstitutionDeps): Endpoint[] {
  const common = { tag: 'Institutions', access: 'institutions.manage' } as const
  return [
    {
      ...common,
      name: 'listInstitutionKeys',
      method: 'GET',
      paths: [listPath],
      summary: "List an organization's institution keys",
      reply: { status: 200, description: 'The keys, without their secrets.', schema: institutionKeysSchema },
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
      reply: { status: 201, description: 'The key with its secret.', schema: createdInstitutionKeySchema },
      errors: ['conflict'],
      handle: async (request) => {
        const { organizationId } = organizationOf(request)
        const { body, nowMs } = request
        const made = await createInstitutionKey(deps.store, {
          organizationId,
          body,
          stamp: auditStampOf(request),
          nowMs,
        })
        return { body: { data: { ...renderInstitutionKey(made.key), key: made.secret } } }
      },
    },
    {
      ...common,
      name: 'changeInstitutionKey',
      method: 'PATCH',
      paths: [onePath],
      summary: 'Change whom an institution key lets in, or switch it off and on',
      body: institutionKeyChangeSchema,
      reply: { status: 200, description: 'The key as it is now.', schema: institutionKeySchema },
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
      summary: 'Delete an institution key for good; its sessions end',
      reply: { status: 204, description: 'It is gone.', schema: Type.Null() },
      handle: async (request) => {
        await deleteInstitutionKey(deps, institutionKeyOf(request), auditStampOf(request))
        return { status: 204 }
      },
    },
  ]
}

import { replaceGroups } from '#control/sign-on/groups.ts'
import type { GroupMapping } from '#domain/sign-on/connection.ts'
import type { JsonObject } from '#lib/json.ts'
import type { SignOnStore } from '#ports/sign-on.ts'
import { auditStampOf } from '../author-of.ts'
import { type Endpoint, organizationOf } from '../endpoint.ts'
import { groupsReplySchema, groupsSchema } from './sign-on-schema.ts'

const paths = ['/api/orgs/:orgId/sign-on/groups']
const common = { tag: 'Organizations', access: 'signOn.manage', paths } as const

/** The roles and teams that groups of the identity provider give. */
export function groupEndpoints(store: SignOnStore): Endpoint[] {
  return [
    {
      ...common,
      name: 'listSignOnGroups',
      method: 'GET',
      summary: 'List group mappings',
      reply: { status: 200, description: 'The group mappings in order.', schema: groupsReplySchema },
      handle: async (request) => {
        const groups = await store.listGroups(organizationOf(request).organizationId)
        return { body: { data: groups.map(renderGroup) } }
      },
    },
    {
      ...common,
      name: 'replaceSignOnGroups',
      method: 'PUT',
      summary: 'Replace the group mappings',
      description: 'They apply the next time a person signs in. No group makes an administrator.',
      body: groupsSchema,
      reply: { status: 200, description: 'The group mappings in order.', schema: groupsReplySchema },
      errors: ['notFound'],
      handle: async (request) => {
        const { organizationId } = organizationOf(request)
        const { groups } = request.body
        const replaced = await replaceGroups(store, { organizationId, groups, stamp: auditStampOf(request) })
        return { body: { data: replaced.map(renderGroup) } }
      },
    },
  ]
}

function renderGroup({ group, teamId, role }: GroupMapping): JsonObject {
  return { group, teamId, role }
}

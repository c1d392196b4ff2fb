import type { JsonObject } from '#lib/json.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { TestMember } from '#test/setup/organizations.ts'

/** A gateway with organizations. */
export interface OrganizationWorld extends TestGateway {
  /** Creates an organization with an administrator, whose personal management key is `admin`. */
  newOrganization(options?: Parameters<TestGateway['createOrganization']>[0]): Promise<TestHome>
  /** The status of a request to a free model with this key. */
  canCall(key: string): Promise<number>
  /** The audit entries of an organization, oldest first. */
  auditOf(organizationId: string): Promise<AuditRow[]>
}

export interface TestHome {
  id: string
  walletId: string
  path: string
  admin: Client
  adminMember: TestMember
}

interface AuditRow {
  action: string
  actor_kind: string
  actor_id: string | null
  target_id: string | null
  before: JsonObject | null
  after: JsonObject | null
  details: JsonObject | null
}

export async function startOrganizationWorld(
  environment: Record<string, string> = {},
  outside?: Parameters<typeof startTestGateway>[1],
): Promise<OrganizationWorld> {
  const gateway = await startTestGateway(environment, outside)
  return {
    ...gateway,
    newOrganization: async (options) => {
      const { id, walletId } = await gateway.createOrganization(options)
      const adminMember = await gateway.addMember(id, { role: 'org_admin' })
      const { key } = await gateway.addKey(adminMember.userId, { type: 'management' })
      return { id, walletId, path: `/v1/orgs/${id}`, admin: gateway.as(key), adminMember }
    },
    canCall: async (key) => (await callChat(gateway.as(key), { model: 'test/echo' })).status,
    auditOf: async (organizationId) => {
      const { rows } = await gateway.pool.query<AuditRow>(
        'SELECT * FROM audit_entries WHERE chain_id = $1 ORDER BY sequence',
        [organizationId],
      )
      return rows
    },
  }
}

import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { TestMember } from '#test/setup/organizations.ts'
import { ownOrigin } from '#test/setup/sign-in.ts'

/** A gateway, and ways to speak to it as anybody. */
export interface OrganizationWorld extends TestGateway {
  /** With a key, or with the cookie of a session. */
  as(credential: string): Client
  /** An organization with an administrator, whose personal management key is `admin`. */
  newOrganization(options?: Parameters<TestGateway['createOrganization']>[0]): Promise<TestHome>
  /** Whether a key can call a model; the model costs nothing. */
  canCall(key: string): Promise<number>
  /** What the audit log of an organization has, oldest first. */
  auditOf(organizationId: string): Promise<AuditRow[]>
}

export interface TestHome {
  id: string
  walletId: string
  path: string
  admin: Client
  adminMember: TestMember
}

export interface Client {
  get(path: string): Promise<Answer>
  post(path: string, body: JsonObject): Promise<Answer>
  patch(path: string, body: JsonObject): Promise<Answer>
  delete(path: string): Promise<Answer>
  send(method: string, path: string, body?: JsonObject): Promise<Answer>
}

export interface Answer {
  status: number
  json: JsonObject
  /** The member `data`, where it is one object. */
  data: JsonObject
  /** The same where it is a list. */
  list: JsonObject[]
}

export interface AuditRow {
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

  function as(credential: string): Client {
    const isKey = credential.startsWith('sk-')
    const identity = isKey ? { authorization: `Bearer ${credential}` } : { cookie: credential, origin: ownOrigin }
    const send = async (method: string, path: string, body?: JsonObject): Promise<Answer> => {
      const response = await fetch(gateway.url + path, {
        method,
        headers: { ...identity, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return answerOf(response.status, await response.text())
    }
    return {
      send,
      get: (path) => send('GET', path),
      post: (path, body) => send('POST', path, body),
      patch: (path, body) => send('PATCH', path, body),
      delete: (path) => send('DELETE', path),
    }
  }

  return {
    ...gateway,
    as,
    newOrganization: async (options) => {
      const { id, walletId } = await gateway.createOrganization(options)
      const adminMember = await gateway.addMember(id, { role: 'org_admin' })
      const { key } = await gateway.addKey(adminMember.userId, { type: 'management' })
      return { id, walletId, path: `/v1/orgs/${id}`, admin: as(key), adminMember }
    },
    canCall: async (key) => (await callChat({ url: gateway.url, key }, { model: 'test/echo' })).status,
    auditOf: async (organizationId) => {
      const { rows } = await gateway.pool.query<AuditRow>(
        'SELECT * FROM audit_entries WHERE chain_id = $1 ORDER BY sequence',
        [organizationId],
      )
      return rows
    },
  }
}

function answerOf(status: number, text: string): Answer {
  const json: unknown = text === '' ? {} : JSON.parse(text)
  if (!isJsonObject(json)) throw new Error(`not an object: ${text}`)
  const { data } = json
  return {
    status,
    json,
    data: isJsonObject(data) ? data : {},
    list: Array.isArray(data) ? data.filter(isJsonObject) : [],
  }
}

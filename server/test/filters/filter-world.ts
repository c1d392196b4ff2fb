import { expect } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { answerOf, hello } from '#test/dialects/upstream-answers.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { type Scenario, type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** A gateway with upstreams of two protocols, and organizations with rules. */
export interface FilterWorld extends OrganizationWorld {
  upstreams: { openai: Simulator; claude: Simulator }
  /** Creates an organization with a member's key. */
  newHome(): Promise<FilteredHome>
  forget(): void
}

export interface FilteredHome extends TestHome {
  key: string
  keyId: string
  memberId: string
  filters: string
  /** Adds a rule and returns its id. */
  addRule(action: string, matcher: JsonObject, special?: JsonObject): Promise<string>
  call(body: JsonObject, options?: { path?: string; key?: string }): Promise<Reply>
  /** Waits for this many audit entries about fired rules. */
  hits(count: number): Promise<Awaited<ReturnType<OrganizationWorld['auditOf']>>>
}

export const models = { openai: 'openai/gpt-5.2', claude: 'anthropic/claude-sonnet-4.6' } as const

const spokenByClaude: Scenario = {
  kind: 'by-request',
  stream: answerOf('claude', hello, true),
  json: answerOf('claude', hello, false),
}

export async function startFilterWorld(environment: Record<string, string> = {}): Promise<FilterWorld> {
  const world = await startOrganizationWorld(environment)
  const upstreams = { openai: await startSimulator(), claude: await startSimulator({ scenario: spokenByClaude }) }
  await world.addProvider({ vendor: 'openai', url: `${upstreams.openai.url}/v1`, pattern: 'openai/*' })
  await world.addProvider({ vendor: 'anthropic', url: upstreams.claude.url, pattern: 'anthropic/*' })

  async function newHome(): Promise<FilteredHome> {
    const home = await world.newOrganization()
    const { memberId } = await world.addMember(home.id)
    const { key, keyId } = await world.addOrganizationKey(home.id, { memberId, terms: { name: 'laptop' } })
    const filters = `/api/orgs/${home.id}/content-filters`
    const hitsNow = async () => (await world.auditOf(home.id)).filter(({ action }) => /^filter\.\w+$/.test(action))
    return {
      ...home,
      key,
      keyId,
      memberId,
      filters,
      addRule: async (action, matcher, special = {}) => {
        const made = await home.admin.post(filters, { name: 'rule', action, matcher, ...special })
        if (made.status !== 201) throw new Error(`no rule: ${JSON.stringify(made.json)}`)
        return String(made.data['id'])
      },
      call: (body, { path, key: as = key } = {}) =>
        callChat({ url: world.url, key: as }, { max_tokens: 16, ...body }, path === undefined ? {} : { path }),
      hits: async (count) => {
        await expect.poll(async () => (await hitsNow()).length).toBeGreaterThanOrEqual(count)
        return hitsNow()
      },
    }
  }

  return {
    ...world,
    upstreams,
    newHome,
    forget: () => {
      for (const upstream of Object.values(upstreams)) upstream.forget()
    },
    close: async () => {
      await world.close()
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()))
    },
  }
}

/** The body of the last request to an upstream. */
export function bodySeenBy(upstream: Simulator): JsonObject {
  const body: unknown = upstream.requests.at(-1)?.body
  if (!isJsonObject(body)) throw new Error('the upstream saw no body')
  return body
}

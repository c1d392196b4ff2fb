import type { JsonObject } from '#lib/json.ts'
import {
  type OrganizationWorld,
  startOrganizationWorld,
  type TestHome,
} from '#test/organizations/organization-world.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Client } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { startTestGateway } from '#test/setup/gateway.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

export const byokPath = '/v1/management/byok-keys'
export const ownSecret = 'sk-own-0123456789wxyz'

/** A gateway that may reach this machine, with the platform's upstream and one for an organization's own key. */
export interface ByokWorld extends OrganizationWorld {
  platform: Simulator
  own: Simulator
  newByokHome(options?: Parameters<OrganizationWorld['newOrganization']>[0]): Promise<ByokHome>
  close(): Promise<void>
}

export interface ByokHome extends TestHome {
  /** A client with a management key bound to the organization. */
  manager: Client
  /** A standard key of the organization. */
  key: { keyId: string; key: string }
  /** Adds an own key at the second upstream, by default with `openai/gpt-5.2` mapped. */
  addOwnKey(body?: JsonObject): Promise<JsonObject>
  chat(body?: JsonObject, key?: string): Promise<Reply>
}

export async function startByokWorld(
  environment: Record<string, string> = {},
  outside?: Parameters<typeof startTestGateway>[1],
): Promise<ByokWorld> {
  const world = await startOrganizationWorld(
    { WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.0/8', WEIR_LIMITS_ACCOUNT: '1000000', ...environment },
    outside,
  )
  const [platform, own] = await Promise.all([startSimulator(), startSimulator()])
  await world.addProvider({ vendor: 'openai', url: `${platform.url}/v1`, pattern: 'openai/*' })
  return {
    ...world,
    platform,
    own,
    async newByokHome(options) {
      const home = await world.newOrganization(options)
      const { memberId } = home.adminMember
      const management = await world.addOrganizationKey(home.id, { memberId, terms: { type: 'management' } })
      const manager = world.as(management.key)
      const key = await world.addOrganizationKey(home.id)
      return {
        ...home,
        manager,
        key,
        async addOwnKey(body = {}) {
          own.playNext(modelList([]))
          const answer = await manager.post(byokPath, { ...newKeyBody(own), ...body })
          if (answer.status !== 201) throw new Error(`refused: ${JSON.stringify(answer.json)}`)
          own.forget()
          return answer.data
        },
        chat: (body = {}, secret = key.key) => callChat(world.as(secret), body),
      }
    },
    close: async () => {
      await world.close()
      await Promise.all([platform.close(), own.close()])
    },
  }
}

export function newKeyBody(own: Simulator): JsonObject {
  return {
    name: 'Ours',
    baseUrl: `${own.url}/v1`,
    apiKey: ownSecret,
    protocol: 'openai',
    fallbackMode: 'seamless',
    modelMappings: [{ model: 'openai/gpt-5.2', upstreamModel: 'our-gpt' }],
  }
}

/** A provider's response with its models. */
export function modelList(ids: readonly string[]) {
  return jsonAnswer(200, { object: 'list', data: ids.map((id) => ({ id, object: 'model' })) })
}

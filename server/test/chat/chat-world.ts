import type { Outside } from '#bin/wiring/outside.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { callChat } from '#test/setup/call-chat.ts'
import type { Reply } from '#test/setup/reply.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** A gateway with three upstreams: OpenAI's models, one provider of other models, and one with plugins. */
export interface ChatWorld {
  gateway: TestGateway
  openai: Simulator
  groq: Simulator
  openrouter: Simulator
  caller(options?: Parameters<TestGateway['createClient']>[0]): Promise<TestClient>
  /** Posts as a new client, or as the given one. */
  chat(body: JsonObject, options?: ChatOptions): Promise<Reply>
  /** The number of upstream requests since `forget`. */
  upstreamCalls(): number
  forget(): void
  close(): Promise<void>
}

type ChatOptions = Parameters<typeof callChat>[2] & { as?: TestClient }

/** A model outside OpenAI's family, served by an OpenAI-compatible provider. */
export const llama = 'meta-llama/llama-3.3-70b-instruct'
/** A model that accepts text, images, files, audio and video, through the provider with plugins. */
export const gemini = 'google/gemini-3-pro'

export async function startChatWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<ChatWorld> {
  const gateway = await startTestGateway(environment, outside)
  const [openai, groq, openrouter] = await Promise.all([
    startSimulator(),
    startSimulator({ scenario: { kind: 'echo', vendor: 'groq' } }),
    startSimulator({ scenario: { kind: 'echo', vendor: 'openrouter' } }),
  ])
  const simulators = [openai, groq, openrouter]
  await gateway.addProvider({ vendor: 'openai', url: `${openai.url}/v1`, pattern: 'openai/*' })
  await gateway.addProvider({ vendor: 'groq', url: `${groq.url}/v1`, pattern: 'meta-llama/*' })
  await gateway.addProvider({ vendor: 'openrouter', url: `${openrouter.url}/v1`, pattern: 'google/*' })
  return {
    gateway,
    openai,
    groq,
    openrouter,
    caller: gateway.createClient,
    chat: async (body, { as, ...options } = {}) => {
      const caller = as ?? (await gateway.createClient())
      return callChat(gateway.as(caller), body, options)
    },
    upstreamCalls: () => simulators.reduce((sum, simulator) => sum + simulator.requests.length, 0),
    forget: () => {
      for (const simulator of simulators) simulator.forget()
    },
    close: async () => {
      await gateway.close()
      await Promise.all(simulators.map((simulator) => simulator.close()))
    },
  }
}

/** The body of the last request to a simulator. */
export function bodySeenBy(simulator: Simulator): JsonObject {
  const body: unknown = simulator.requests.at(-1)?.body
  if (!isJsonObject(body)) throw new Error('the upstream saw no body')
  return body
}

export function choicesOf({ json }: Reply): JsonObject[] {
  return Array.isArray(json.choices) ? json.choices.filter(isJsonObject) : []
}

export function errorOf({ json }: { json: JsonObject }): JsonObject {
  return isJsonObject(json.error) ? json.error : {}
}

export function usageOf({ json }: Reply): JsonObject {
  return isJsonObject(json.usage) ? json.usage : {}
}

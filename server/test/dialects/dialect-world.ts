import type { Outside } from '#bin/wiring/outside.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** A gateway with an upstream of every protocol, and three more providers with their own chat variants. */
export interface DialectWorld {
  gateway: TestGateway
  upstreams: Upstreams
  caller: TestGateway['createClient']
  /** Posts as a new client, or as the given one. */
  post(path: DialectPath, body: JsonObject, options?: PostOptions): Promise<Reply>
  forget(): void
  close(): Promise<void>
}

export type DialectPath = '/v1/chat/completions' | '/v1/cursor/chat/completions' | '/v1/responses' | '/v1/messages'

export type UpstreamName = keyof typeof vendorsByName
type Upstreams = Readonly<Record<UpstreamName, Simulator>>

export interface PostOptions {
  as?: TestClient
  headers?: Record<string, string>
  query?: string
}

const vendorsByName = {
  openai: { vendor: 'openai', pattern: 'openai/*', base: '/v1' },
  claude: { vendor: 'anthropic', pattern: 'anthropic/*', base: '' },
  gemini: { vendor: 'google-ai-studio', pattern: 'google/*', base: '/v1' },
  bedrock: { vendor: 'amazon-bedrock', pattern: 'mistralai/*', base: '' },
  groq: { vendor: 'groq', pattern: 'meta-llama/*', base: '/v1' },
  openrouter: { vendor: 'openrouter', pattern: 'x-ai/*', base: '/v1' },
  alibaba: { vendor: 'alibaba', pattern: 'qwen/*', base: '/v1' },
  zhipu: { vendor: 'z-ai', pattern: 'z-ai/*', base: '/v1' },
} as const

export const modelOf = {
  openai: 'openai/gpt-5.2',
  claude: 'anthropic/claude-sonnet-4.6',
  gemini: 'google/gemini-3-pro',
  bedrock: 'mistralai/mistral-medium-3.1',
  groq: 'meta-llama/llama-3.3-70b-instruct',
  openrouter: 'x-ai/grok-4.1-fast',
  alibaba: 'qwen/qwen3-32b',
  zhipu: 'z-ai/glm-4.7',
} as const satisfies Record<UpstreamName, string>

/** The upstreams that represent the four protocols. */
export const protocols = ['openai', 'claude', 'gemini', 'bedrock'] as const satisfies UpstreamName[]

export async function startDialectWorld(
  environment: Record<string, string> = {},
  outside: Partial<Outside> = {},
): Promise<DialectWorld> {
  const gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '100000', ...environment }, outside)
  const start = async (name: UpstreamName): Promise<Simulator> => {
    const simulator = await startSimulator()
    const { vendor, pattern, base } = vendorsByName[name]
    await gateway.addProvider({ vendor, url: simulator.url + base, pattern })
    return simulator
  }
  const upstreams: Upstreams = {
    openai: await start('openai'),
    claude: await start('claude'),
    gemini: await start('gemini'),
    bedrock: await start('bedrock'),
    groq: await start('groq'),
    openrouter: await start('openrouter'),
    alibaba: await start('alibaba'),
    zhipu: await start('zhipu'),
  }
  const all = Object.values(upstreams)
  return {
    gateway,
    upstreams,
    caller: gateway.createClient,
    post: async (path, body, { as, headers, query = '' } = {}) => {
      const caller = as ?? (await gateway.createClient())
      return gateway.as(caller).post(path + query, body, { headers })
    },
    forget: () => {
      for (const simulator of all) simulator.forget()
    },
    close: async () => {
      await gateway.close()
      await Promise.all(all.map((simulator) => simulator.close()))
    },
  }
}

/** The body of the last request to an upstream. */
export function bodySeenBy(simulator: Simulator): JsonObject {
  const body: unknown = simulator.requests.at(-1)?.body
  if (!isJsonObject(body)) throw new Error('the upstream saw no body')
  return body
}

/** Returns the value at a path such as `choices.0.message`; a missing step is an error that shows the whole value. */
export function at(value: unknown, path: string): unknown {
  let found: unknown = value
  for (const step of path.split('.')) {
    if (Array.isArray(found)) found = found.at(Number(step))
    else if (isJsonObject(found)) found = found[step]
    else throw new Error(`nothing at ${path} of ${JSON.stringify(value)}`)
  }
  return found
}

export function listAt(value: unknown, path: string): JsonObject[] {
  const found = at(value, path)
  if (!Array.isArray(found)) throw new Error(`no list at ${path} of ${JSON.stringify(value)}`)
  return found.filter(isJsonObject)
}

export function textAt(value: unknown, path: string): string {
  const found = at(value, path)
  if (typeof found !== 'string') throw new Error(`no text at ${path} of ${JSON.stringify(value)}`)
  return found
}

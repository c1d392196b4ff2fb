import { readFile } from 'node:fs/promises'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import type { Client } from '#test/setup/client.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import type { Reply } from '#test/setup/reply.ts'

const endpoints = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
} as const
export type EndpointName = keyof typeof endpoints
export const endpointNames = ['chat', 'responses', 'messages'] as const satisfies EndpointName[]

/** A gateway with the sample catalogue and these additional models. */
export async function startResolutionGateway(models: readonly JsonObject[]): Promise<TestGateway> {
  const gateway = await startTestGateway()
  const text = await readFile(new URL('../samples/catalogue.json', import.meta.url), 'utf8')
  const sample: unknown = JSON.parse(text)
  const parsed = parseCatalogueFile([...(Array.isArray(sample) ? sample : []), ...models])
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
  await createCatalogueStore(gateway.pool).import(parsed.rows, Date.now())
  await gateway.gateway.refresh()
  return gateway
}

/** A record of a catalogue file; `together` sells it, at one and two dollars per million tokens. */
export function modelRecord(id: string, changes: JsonObject = {}): JsonObject {
  return {
    id,
    name: id,
    kind: 'chat',
    provider: 'together',
    upstream_model_id: `upstream ${id}`,
    context_length: 8_192,
    max_completion_tokens: null,
    input_modalities: ['text'],
    output_modalities: ['text'],
    pricing: { prompt: '0.000001', completion: '0.000002' },
    status: 'active',
    ...changes,
  }
}

/** The same short question on any endpoint. */
export function ask(client: Client, endpoint: EndpointName, model: string, body: JsonObject = {}): Promise<Reply> {
  const question = 'Hello there my friend'
  const messages = [{ role: 'user', content: question }]
  const base = endpoint === 'responses' ? { input: question } : { messages, max_tokens: 20 }
  return client.post(endpoints[endpoint], { model, ...base, ...body })
}

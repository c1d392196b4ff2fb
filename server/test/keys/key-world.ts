import type { Outside } from '#bin/wiring/outside.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { type MoneyWorld, startMoneyWorld } from '#test/money/money-world.ts'
import type { Credential } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'

/** A gateway where every request costs six tenths of a cent, with helpers for managing keys. */
export interface KeyWorld extends MoneyWorld {
  /** Creates a person with credit and a management key. */
  manager(usd?: string): Promise<Manager>
  send(as: Credential, method: string, path: string, body?: JsonObject): Promise<Reply>
  /** Sends a request that costs 0.006 and holds 0.006015. */
  spend(caller: { key: string }): Promise<number>
  /** The audit entries of a key, oldest first. */
  auditOf(keyId: string): Promise<AuditRow[]>
}

export interface Manager {
  userId: string
  walletId: string
  keyId: string
  /** The management key's secret. */
  key: string
}

interface AuditRow {
  chain_id: string
  actor_kind: string
  actor_id: string | null
  action: string
  before: JsonObject | null
  after: JsonObject | null
  request_id: string | null
}

export async function startKeyWorld(
  outside: Partial<Outside> = {},
  environment: Record<string, string> = {},
): Promise<KeyWorld> {
  const world = await startMoneyWorld({ WEIR_LIMITS_ACCOUNT: '100000', ...environment }, outside)
  // 500 completion tokens at 0.000012.
  const usage = { prompt: 0, completion: 500 }
  world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
  return {
    ...world,
    manager: async (usd = '25') => world.createClient({ usd, terms: { type: 'management' } }),
    send: (as, method, path, body) => world.as(as).send(method, path, body),
    spend: async (caller) => (await world.call(caller, { max_tokens: 500 })).status,
    auditOf: async (keyId) => {
      const { rows } = await world.pool.query<AuditRow>(
        'SELECT * FROM audit_entries WHERE target_id = $1 ORDER BY sequence',
        [keyId],
      )
      return rows
    },
  }
}

/** Creates a key through the API and returns its id and secret. */
export async function createKeyOver(
  world: KeyWorld,
  as: Credential,
  body: JsonObject = {},
  path = '/v1/keys',
): Promise<{ id: string; key: string; json: JsonObject }> {
  const { status, json, text } = await world.send(as, 'POST', path, { name: 'made', ...body })
  if (status !== 201 || typeof json.id !== 'string' || typeof json.key !== 'string') throw new Error(text)
  return { id: json.id, key: json.key, json }
}

/** One key of a list, by its id. */
export function keyIn({ json }: Reply, id: string): JsonObject {
  const keys = Array.isArray(json.keys) ? json.keys.filter(isJsonObject) : []
  const found = keys.find((key) => key.id === id)
  if (found === undefined) throw new Error(`no key ${id}`)
  return found
}

export function idsIn({ json }: Reply): unknown[] {
  return Array.isArray(json.keys) ? json.keys.filter(isJsonObject).map(({ id }) => id) : []
}

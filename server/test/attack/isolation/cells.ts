import type { Person } from './people.ts'
import type { ExpectedEndpoint } from '#test/oracle/read-access.ts'
import { expectAnswer, type ExpectedAnswer } from '#test/oracle/expect-answer.ts'
import type { Things } from './make-things.ts'
import { type Target, targetsOf } from '#test/oracle/targets.ts'

/** One endpoint, requested by one client for one thing. */
export interface Cell {
  readonly endpoint: ExpectedEndpoint
  readonly caller: Person
  readonly target: Target
  readonly expected: ExpectedAnswer
  /** `/api` for every other cell of a path below `/v1`, because both prefixes exist. */
  readonly prefix: '' | '/api'
  readonly label: string
}

export function listCells(endpoints: readonly ExpectedEndpoint[], callers: readonly Person[]): Cell[] {
  let position = 0
  return endpoints.flatMap((endpoint) =>
    callers.flatMap((caller) =>
      targetsOf(endpoint.path).map((target): Cell => {
        position += 1
        return {
          endpoint,
          caller,
          target,
          expected: expectAnswer(endpoint, caller, target),
          prefix: endpoint.path.startsWith('/v1/') && position % 2 === 1 ? '/api' : '',
          label: `${endpoint.method} ${endpoint.path} by ${caller.name} for ${target}`,
        }
      }),
    ),
  )
}

/**
 * An allowed request may be rejected for its content, but not for missing permissions, and never with a server error.
 */
export function agrees(status: number, expected: ExpectedAnswer): boolean {
  if (expected !== 'pass') return status === expected
  return status >= 200 && status < 500 && status !== 401 && status !== 403 && status !== 404
}

// Some paths need a well-formed query; the others ignore it.
const query = 'email=nobody@uni.example&view=overview&year=2026&month=1'

export function pathOf({ endpoint, prefix, target }: Cell, things: Things): string {
  const model = target === 'own' ? 'gpt-5.2' : 'nothing'
  const path = endpoint.path
    .replace('{author}/{slug}', `openai/${model}`)
    .replace('{slug}', `openai-${model}`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => things[name] ?? name)
  return `${prefix}${path}?${query}`
}

const unknownKey = '0190a1b2-0000-7000-8000-00000000abcd'

/** A harmless body, well-formed where the endpoint otherwise would not look up the thing. */
export function bodyOf({ endpoint: { method, path } }: Cell): object | undefined {
  if (method === 'GET' || method === 'HEAD' || method === 'DELETE') return undefined
  // An empty change: a field that can't be changed is rejected before the handler checks the rights.
  if (method === 'PATCH') return path === '/api/admin/operators/{operatorRef}' ? { role: 'read_only' } : {}
  if (path.endsWith('/tokens')) return { api_key_id: unknownKey }
  // Of a customer without a balance: nothing is moved.
  if (path === '/v1/customers/{customerId}/transfers') return { amount: 0.01, to: 'wallet' }
  if (path.startsWith('/api/admin/')) {
    const texts = {
      key: 'sk-new',
      source: 'grant',
      reference: 'a transfer',
      note: 'a note',
      text: 'a note',
      reason: 'x',
    }
    return { ...texts, amountUsd: 0.01, engaged: false }
  }
  if (!path.startsWith('/v1/') || path.startsWith('/v1/orgs') || path.startsWith('/v1/management')) return {}
  return { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }], input: 'Hello', max_tokens: 16 }
}

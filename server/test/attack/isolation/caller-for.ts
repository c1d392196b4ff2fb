import assert from 'node:assert/strict'
import type { Person } from './people.ts'
import type { ExpectedEndpoint } from '#test/oracle/read-access.ts'

/** A client that reaches the endpoint with things of the first organization. */
export function callerFor({ accepts, scope }: ExpectedEndpoint, callers: readonly Person[]): Person {
  const name = nameFor(accepts, scope)
  const found = callers.find((caller) => caller.name === name)
  assert.ok(found !== undefined, `there is ${name}`)
  return found
}

function nameFor(accepts: ExpectedEndpoint['accepts'], scope: ExpectedEndpoint['scope']): string {
  if (accepts === null) return 'nobody'
  if (accepts.has('operator')) return 'operator'
  if (accepts.has('standard')) return 'stranger, standard key'
  // Views of customers are for people who operate the platform.
  if (scope === 'platform') return 'owner of the platform, session'
  const needsKey = scope === 'bound' || !accepts.has('session')
  return needsKey ? "org_admin here, organization's management key" : 'org_admin here, session'
}

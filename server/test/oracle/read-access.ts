import { readFileSync } from 'node:fs'

export const roles = ['org_admin', 'billing_viewer', 'team_admin', 'member'] as const
export type Role = (typeof roles)[number]

export const operatorRoles = ['owner', 'support', 'finance', 'read_only'] as const
export type OperatorRole = (typeof operatorRoles)[number]

/** Credentials that an endpoint accepts. Any other valid credential gets 403. */
export type Accepted = 'standard' | 'management' | 'session' | 'institution' | 'token' | 'operator'

/**
 * The owner of an endpoint's things.
 *
 * - `none`: the caller's own, without a name in the path.
 * - `public`: what everybody may see, such as a model.
 * - `account`: what belongs to whom the credential belongs to: a person, or the organization of the key.
 * - `account-admin`: the same, and an organization's key must be that of an `org_admin`.
 * - `account-manager`: as `account-admin` for management keys, and as `account` for all others.
 * - `organization`: what the path names, by the caller's role there.
 * - `bound`: of the organization that the calling key is bound to, for its administrators.
 * - `platform`: the operator's.
 */
type Scope = (typeof scopeWords)[number]

/** The permissions of a role: everything, only the own team, or nothing. */
type Reach = 'yes' | 'team' | 'no'

export interface ExpectedEndpoint {
  readonly method: string
  readonly path: string
  /** Null means everyone. */
  readonly accepts: ReadonlySet<string> | null
  readonly scope: Scope
  readonly reach: Readonly<Record<Role, Reach>>
  /** The roles of operators that may call an endpoint of the platform; empty elsewhere. */
  readonly operators: ReadonlySet<OperatorRole>
}

const acceptedWords: readonly string[] = [
  'standard',
  'management',
  'session',
  'institution',
  'token',
  'operator',
] satisfies Accepted[]
const scopeWords = [
  'none',
  'public',
  'account',
  'account-admin',
  'account-manager',
  'organization',
  'bound',
  'platform',
] as const
const reachWords: readonly Reach[] = ['yes', 'team', 'no']

/**
 * The permissions of the contract, written by hand: the table is independent of the code, so it finds an endpoint that
 * is open to the wrong clients.
 */
export function readAccess(): Map<string, ExpectedEndpoint> {
  const text = readFileSync(new URL('./access.tsv', import.meta.url), 'utf8')
  const [, ...lines] = text.trimEnd().split('\n')
  const endpoints = lines.map(parseLine)
  return new Map(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))
}

function parseLine(line: string): ExpectedEndpoint {
  const [method = '', path = '', accepts = '', scope = '', ...reaches] = line.split('\t')
  const words = accepts.split(' ')
  if (accepts !== 'everybody') for (const word of words) oneOf(acceptedWords, word, line)
  const parsedScope = oneOf(scopeWords, scope, line)
  const reach = Object.fromEntries(
    roles.map((role, index) => [
      role,
      parsedScope === 'organization' ? oneOf(reachWords, reaches[index] ?? '', line) : 'no',
    ]),
  )
  return {
    method,
    path,
    accepts: accepts === 'everybody' ? null : new Set(words),
    scope: parsedScope,
    reach: fullReach(reach),
    operators: operatorsOf(reaches[roles.length] ?? '', parsedScope, line),
  }
}

function operatorsOf(cell: string, scope: Scope, line: string): Set<OperatorRole> {
  if ((cell === '-') !== (scope !== 'platform')) throw new Error(`only the platform has operators: ${line}`)
  return new Set(cell === '-' ? [] : cell.split(' ').map((word) => oneOf(operatorRoles, word, line)))
}

function fullReach({ org_admin, billing_viewer, team_admin, member }: Record<string, Reach>): Record<Role, Reach> {
  if (org_admin === undefined || billing_viewer === undefined || team_admin === undefined || member === undefined) {
    throw new Error('a role has no column')
  }
  return { org_admin, billing_viewer, team_admin, member }
}

function oneOf<Word extends string>(words: readonly Word[], text: string, line: string): Word {
  const found = words.find((word) => word === text)
  if (found === undefined) throw new Error(`not one of ${words.join(', ')}: ${text} in ${line}`)
  return found
}

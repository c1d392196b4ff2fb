import { readUser } from '#control/operators/create-user.ts'
import { type AuditAction, type AuditEntry, platformChain } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { CustomerViews, NewCustomerView, StoredCustomerView } from '#ports/customer-views.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { UserListing, Users } from '#ports/people.ts'

export interface ViewDeps {
  readonly users: Users
  readonly views: CustomerViews
}

const viewMs = 30 * 60_000
const reasonLengthMax = 500

/**
 * Lets an operator's session view the console as a customer. The platform's audit log names the operator and the
 * reason. The logs of the customer's organizations say only that it was an operator, and until when.
 */
export async function beginView(
  { users, views }: ViewDeps,
  input: { reference: string; reason: string; sessionId: Uuid },
  author: ChangeAuthor,
): Promise<{ view: NewCustomerView; user: UserListing }> {
  const reason = parseReason(input.reason)
  const user = await readUser(users, input.reference)
  if (user.operates) {
    throw new GatewayError('conflict', { message: `${user.email} is an operator. You can only view customers.` })
  }
  const begunAtMs = author.nowMs
  const times = { begunAtMs, endsAtMs: begunAtMs + viewMs }
  const view = { id: newUuid(begunAtMs), sessionId: input.sessionId, userId: user.id, ...times }
  const isBegun = await views.begin(view, (organizationIds, replaced) => {
    const details = { endsAt: new Date(view.endsAtMs).toISOString() }
    const stored = { ...view, organizationIds }
    return [
      ...(replaced === null ? [] : describeEnd(replaced, author)),
      ...describe({ action: 'customer.view.begin', view: stored, details, inside: { reason } }, author),
    ]
  })
  if (!isBegun) throw new GatewayError('unauthenticated', { message: 'Your session has ended. Sign in again.' })
  return { view, user }
}

/** Ends a view of an operator's session. */
export async function endView(
  views: Pick<CustomerViews, 'end'>,
  view: { viewId: Uuid; sessionId: Uuid },
  author: ChangeAuthor,
): Promise<void> {
  await views.end(view, (ended) => describeEnd(ended, author))
}

function parseReason(text: string): string {
  const reason = text.trim()
  if (reason !== '' && reason.length <= reasonLengthMax && !reason.includes('\0')) return reason
  throw malformed(`reason must be a string of 1 to ${reasonLengthMax} characters.`)
}

function describeEnd(view: StoredCustomerView, author: ChangeAuthor): AuditEntry[] {
  const endedAt = new Date(Math.min(author.nowMs, view.endsAtMs)).toISOString()
  return describe({ action: 'customer.view.end', view, details: { endedAt }, inside: {} }, author)
}

interface Described {
  readonly action: AuditAction & `customer.view.${string}`
  readonly view: Pick<StoredCustomerView, 'id' | 'userId' | 'organizationIds'>
  /** In all entries. */
  readonly details: JsonObject
  /** Only in the platform's log. */
  readonly inside: JsonObject
}

function describe({ action, view, details, inside }: Described, author: ChangeAuthor): AuditEntry[] {
  const { id, userId, organizationIds } = view
  const { requestId } = author
  // Also at the end, which is no action of operators. The store keeps names of operators from organizations.
  const actor = { ...author.actor, kind: 'operator' } as const
  const entry = { actor, requestId, action, target: { kind: 'user', id: userId }, details: { viewId: id, ...details } }
  return [
    { ...entry, chainId: platformChain, details: { ...entry.details, ...inside } },
    ...organizationIds.map((chainId) => ({ ...entry, chainId })),
  ]
}

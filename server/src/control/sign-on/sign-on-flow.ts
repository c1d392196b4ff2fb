import { hash } from 'node:crypto'
import type { ConnectionTest } from '#domain/sign-on/connection.ts'
import type { SignOnRefusal } from '#domain/sign-on/sign-on-refusal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { publicText } from '#lib/public-text.ts'
import type { SealingKey } from '#lib/seal.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { OidcClient, OpenConnection, SamlClient, SignOnAttempts, SignOnStore } from '#ports/sign-on.ts'
import type { AdmitDeps } from './admit-proven.ts'

/*
 * A sign-on has these steps, in one browser:
 *   begun     the browser has a cookie and is at the identity provider; a row remembers the attempt by its state
 *   answered  the browser brings the provider's answer, which takes the row: a second answer finds none
 *   ended     with a session, with the result of a test, or with a refusal
 */

export interface SignOnFlowDeps extends Omit<AdmitDeps, 'store'> {
  readonly store: SignOnStore
  readonly attempts: SignOnAttempts
  readonly oidc: OidcClient
  readonly saml: SamlClient
  readonly sealingKey: SealingKey
  /** The base URL of callbacks. Null if the installation has no public URL. */
  readonly publicOrigin: string | null
  readonly nowMs: () => number
  /** Reports why an identity provider's answer was refused, for the operator's log. */
  readonly onRefused: (connectionId: Uuid, reason: string) => void
}

/** How a sign-on ended, and where the browser goes next. */
export type SignOnEnd =
  | { readonly kind: 'signed_on'; readonly userId: Uuid; readonly organizationId: Uuid; readonly next: string }
  | { readonly kind: 'tested'; readonly slug: string }
  | { readonly kind: 'refused'; readonly refusal: SignOnRefusal }

/** Null if there is no such connection, or it can't be used. */
export async function openConnection(
  { store, publicOrigin }: SignOnFlowDeps,
  { organizationId, connectionId, isTest }: { organizationId: string; connectionId: string; isTest: boolean },
): Promise<OpenConnection | null> {
  const opened = isUuid(connectionId) && publicOrigin !== null ? await store.findConnection(connectionId) : null
  if (opened === null || opened.organization.suspended) return null
  // An answer that arrives at another organization's address is not taken.
  if (opened.connection.organizationId !== organizationId) return null
  return opened.connection.enabled || isTest ? opened : null
}

export function noteTest(
  { store, nowMs }: SignOnFlowDeps,
  { connection }: OpenConnection,
  result: Omit<ConnectionTest, 'atMs'>,
): Promise<void> {
  return store.noteTest(connection.id, { atMs: nowMs(), ...result })
}

export function testedAt({ organization }: OpenConnection): SignOnEnd {
  return { kind: 'tested', slug: organization.slug }
}

/** The provider's fault is a refusal. Ours, and that of the database, stays an error. */
export function refuse(
  deps: SignOnFlowDeps,
  { connection }: OpenConnection,
  error: unknown,
): { refused: SignOnRefusal } {
  if (error instanceof GatewayError) throw error
  deps.onRefused(connection.id, wordsOf(error))
  return { refused: 'provider' }
}

export function wordsOf(error: unknown): string {
  return publicText(error instanceof Error ? error.message : String(error))
}

export function digest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

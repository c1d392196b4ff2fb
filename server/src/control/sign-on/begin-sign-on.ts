import { randomBytes } from 'node:crypto'
import type { ConnectionKind } from '#domain/sign-on/connection.ts'
import type { SignOnRefusal } from '#domain/sign-on/sign-on-refusal.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OpenConnection } from '#ports/sign-on.ts'
import { localPath } from './local-path.ts'
import { oidcQuery } from './finish-oidc.ts'
import { samlQuery } from './finish-saml.ts'
import { digest, noteTest, openConnection, refuse, type SignOnFlowDeps, wordsOf } from './sign-on-flow.ts'

// Time to enter a password and a second factor at the identity provider.
const attemptLifeMs = 10 * 60_000

interface Begin {
  /** The organization in the path. */
  readonly organizationId: string
  readonly connectionId: string
  /** The secret in the browser's cookie. Only this browser can end the sign-on. */
  readonly browser: string
  readonly next: string | null
  /** Who is signed in in this browser. */
  readonly personId: Uuid | null
  /** A test shows the claims to an administrator and signs no one in. It works before the connection is enabled. */
  readonly isTest: boolean
}

/** The page of the identity provider. */
export async function beginSignOn(
  deps: SignOnFlowDeps,
  { organizationId, connectionId, browser, next, personId, isTest }: Begin,
): Promise<{ url: string; kind: ConnectionKind } | { refused: SignOnRefusal }> {
  const opened = await openConnection(deps, { organizationId, connectionId, isTest })
  if (opened === null) return { refused: 'unavailable' }
  const state = randomBytes(32).toString('base64url')
  try {
    const { url, memory } = await beginAt(deps, opened, state)
    const details = {
      browser: digest(browser),
      next: next === null ? `/console/o/${opened.organization.slug}` : localPath(next),
      person: personId,
      isTest,
      memory,
    }
    const expiresAtMs = deps.nowMs() + attemptLifeMs
    await deps.attempts.begin({ state, connectionId: opened.connection.id, details, expiresAtMs })
    return { url, kind: opened.connection.settings.kind }
  } catch (error) {
    if (isTest) await noteTest(deps, opened, { error: wordsOf(error), claims: {} })
    return refuse(deps, opened, error)
  }
}

function beginAt(
  deps: SignOnFlowDeps,
  opened: OpenConnection,
  state: string,
): Promise<{ url: string; memory: JsonObject }> {
  switch (opened.connection.settings.kind) {
    case 'oidc':
      return deps.oidc.begin(oidcQuery(deps, opened, state))
    case 'saml':
      return deps.saml.begin({ ...samlQuery(deps, opened), state })
  }
}

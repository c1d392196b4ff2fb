import type { ProvenIdentity } from '#domain/sign-on/proven-identity.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { OpenConnection } from '#ports/sign-on.ts'
import { admitProven } from './admit-proven.ts'
import { claimsAddress } from './claims-address.ts'
import {
  digest,
  noteTest,
  openConnection,
  refuse,
  type SignOnEnd,
  type SignOnFlowDeps,
  testedAt,
  wordsOf,
} from './sign-on-flow.ts'

/** A sign-on whose answer has arrived. */
export interface Answered {
  readonly opened: OpenConnection
  readonly isTest: boolean
  readonly next: string
  /** Who was signed in when the sign-on began. */
  readonly personId: Uuid | null
  /** What the client of the provider remembered when the sign-on began. */
  readonly details: JsonObject
}

/** The attempt of this browser at this organization. Null if there is none: it has expired or was taken before. */
export async function takeAttempt(
  deps: SignOnFlowDeps,
  { organizationId, browser, state }: { organizationId: string; browser: string | null; state: string },
): Promise<Answered | null> {
  const taken = state === '' ? null : await deps.attempts.take({ state, nowMs: deps.nowMs() })
  if (taken === null || browser === null) return null
  const { details, connectionId } = taken
  if (stringAt(details, 'browser') !== digest(browser)) return null
  const isTest = details['isTest'] === true
  const opened = await openConnection(deps, { organizationId, connectionId, isTest })
  return opened === null
    ? null
    : { opened, isTest, next: stringAt(details, 'next') ?? '/', personId: stringAt(details, 'person') ?? null, details }
}

/** Ends the sign-on with the identity that `prove` finds in the answer. It rejects if the answer is not valid. */
export async function endSignOn(
  deps: SignOnFlowDeps,
  answered: Omit<Answered, 'details'>,
  { prove, requestId }: { prove: () => Promise<ProvenIdentity>; requestId: string },
): Promise<SignOnEnd> {
  const { opened, isTest } = answered
  try {
    return await end(deps, { ...answered, proven: await prove(), requestId })
  } catch (error) {
    if (isTest) await noteTest(deps, opened, { error: wordsOf(error), claims: {} })
    const refused = refuse(deps, opened, error)
    return isTest ? testedAt(opened) : { kind: 'refused', refusal: refused.refused }
  }
}

async function end(
  deps: SignOnFlowDeps,
  request: Omit<Answered, 'details'> & { proven: ProvenIdentity; requestId: string },
): Promise<SignOnEnd> {
  const { opened, proven, isTest, next, personId, requestId } = request
  if (isTest) {
    await noteTest(deps, opened, { error: await objectionTo(deps, opened, proven), claims: proven.claims })
    return testedAt(opened)
  }
  const admitted = await admitProven(deps, { opened, proven, personId, requestId, nowMs: deps.nowMs() })
  if ('refused' in admitted) {
    deps.onRefused(opened.connection.id, admitted.refused)
    return { kind: 'refused', refusal: admitted.refused }
  }
  return { kind: 'signed_on', userId: admitted.userId, organizationId: opened.connection.organizationId, next }
}

/** What would keep this person from signing in, in words for an administrator. */
async function objectionTo(
  { store }: SignOnFlowDeps,
  { connection }: OpenConnection,
  { email, subject }: ProvenIdentity,
): Promise<string | null> {
  if (subject === '') return 'The provider sent no subject.'
  if (email === null) return 'The provider sent no verified email address.'
  if (await claimsAddress(store, { organizationId: connection.organizationId, address: email })) return null
  return 'The email address is not in a verified domain of your organization.'
}

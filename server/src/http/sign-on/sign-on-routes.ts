import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownDevices } from '#control/sign-in/known-devices.ts'
import type { LimitAttempts } from '#control/sign-in/limit-attempts.ts'
import { beginSignOn } from '#control/sign-on/begin-sign-on.ts'
import { finishOidc } from '#control/sign-on/finish-oidc.ts'
import { finishSaml } from '#control/sign-on/finish-saml.ts'
import type { SignOnEnd, SignOnFlowDeps } from '#control/sign-on/sign-on-flow.ts'
import { isUuid } from '#lib/uuid.ts'
import type { SignOnRefusal } from '#domain/sign-on/sign-on-refusal.ts'
import type { Memberships } from '#ports/organizations.ts'
import type { SignIn } from '#ports/people.ts'
import type { OpenConnection } from '#ports/sign-on.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { headersOf } from '../headers-of.ts'
import { browserCookie, browserOf } from './browser-cookie.ts'
import { addSamlMetadata } from './saml-metadata-route.ts'

export interface SignOnRouteDeps {
  readonly flow: SignOnFlowDeps
  readonly signIn: Pick<SignIn, 'begin' | 'sessions'>
  readonly memberships: Pick<Memberships, 'find'>
  readonly limitAttempts: LimitAttempts
  readonly devices: Pick<KnownDevices, 'issue'>
  readonly bodies: Pick<BodyReader, 'receive'>
  readonly clientIp: (request: FastifyRequest) => string | null
}

interface Route {
  Params: { organizationId: string }
  Querystring: { connection?: unknown; next?: unknown; test?: unknown }
}

const base = '/api/sign-on/:organizationId'

/** The pages that a browser passes while it signs on: to the identity provider and back. All of them redirect. */
export function addSignOnRoutes(server: FastifyInstance, deps: SignOnRouteDeps): void {
  server.get<Route>(`${base}/start`, async (request, reply) => {
    await limit(deps, request)
    const { organizationId } = request.params
    const { connection, next, test } = request.query
    const isTest = test === 'true'
    if (isTest && !(await isAdministrator(deps, request))) return refuse(reply, 'unavailable')
    const connectionId = typeof connection === 'string' ? connection : ''
    const browser = browserOf(request) ?? randomBytes(32).toString('base64url')
    const nextText = typeof next === 'string' ? next : null
    const personId = isOwnPage(request) ? ((await personOf(deps, request))?.userId ?? null) : null
    const asked = { organizationId, connectionId, browser, next: nextText, personId, isTest }
    const begun = await beginSignOn(deps.flow, asked)
    if ('refused' in begun) return isTest ? toSettings(deps, reply, connectionId) : refuse(reply, begun.refused)
    return redirect(reply.header('set-cookie', browserCookie(browser, begun.kind)), begun.url)
  })
  server.get<Route>(`${base}/callback`, async (request, reply) => {
    await limit(deps, request)
    const { organizationId } = request.params
    const query = request.url.replace(/^[^?]*\??/, '')
    const ended = await finishOidc(deps.flow, {
      organizationId,
      browser: browserOf(request),
      query,
      requestId: request.id,
    })
    return conclude(deps, request, reply, ended)
  })
  addSamlRoute(server, deps)
  addSamlMetadata(server, deps.flow)
}

// A response may have 256 KB, and a third more as base64, whose plus signs the form escapes.
const formBytesMax = 512 * 1_024

/**
 * The assertion consumer service. The provider's page posts here, so the request comes from its origin. It carries no
 * session that counts: the cookie of the sign-on and the signature of the assertion do.
 */
function addSamlRoute(server: FastifyInstance, deps: SignOnRouteDeps): void {
  server.register(async (scope) => {
    const form = /^application\/x-www-form-urlencoded(?:\s*;|$)/i
    scope.addContentTypeParser(form, (_request, _payload, done) => done(null))
    scope.post<Route>(`${base}/saml`, { config: { ignoresSession: true } }, async (request, reply) => {
      await limit(deps, request)
      const { bytes, release } = await deps.bodies.receive(request, reply, formBytesMax)
      try {
        const fields = new URLSearchParams(bytes.toString('latin1'))
        const ended = await finishSaml(deps.flow, {
          organizationId: request.params.organizationId,
          browser: browserOf(request),
          response: fields.get('SAMLResponse') ?? '',
          relayState: fields.get('RelayState') ?? '',
          requestId: request.id,
        })
        return await conclude(deps, request, reply, ended)
      } finally {
        release()
      }
    })
  })
}

async function conclude(
  deps: SignOnRouteDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  ended: SignOnEnd,
): Promise<FastifyReply> {
  if (ended.kind === 'refused') return refuse(reply, ended.refusal)
  if (ended.kind === 'tested') return redirect(reply, settingsPage(ended.slug))
  const { userId, organizationId } = ended
  const question = { userId, organizationId, headers: headersOf(request), clientIp: deps.clientIp(request) }
  const { response, provenEmail } = await deps.signIn.begin(question)
  const cookies = response.headers.getSetCookie()
  if (provenEmail !== null) cookies.push(deps.devices.issue(provenEmail))
  return redirect(reply.header('set-cookie', cookies), ended.next)
}

/** Each step may ask an identity provider, so it counts like an attempt to sign in. */
async function limit({ limitAttempts, clientIp }: SignOnRouteDeps, request: FastifyRequest): Promise<void> {
  await limitAttempts({ clientIp: clientIp(request), email: null, deviceId: null, isGuess: false })
}

/** Only an administrator of the organization tests its connections. */
async function isAdministrator(deps: SignOnRouteDeps, request: FastifyRequest<Route>): Promise<boolean> {
  const person = await personOf(deps, request)
  const { organizationId } = request.params
  if (person === null || person.suspended || !isUuid(organizationId)) return false
  const membership = await deps.memberships.find({ organizationId, userId: person.userId })
  return membership?.role === 'org_admin'
}

/** Whether a page of this site leads here. A link elsewhere must not speak for the person who is signed in. */
function isOwnPage({ headers }: FastifyRequest<Route>): boolean {
  return headers['sec-fetch-site'] === 'same-origin'
}

/** Who is signed in in this browser. */
function personOf({ signIn }: SignOnRouteDeps, { headers: { cookie } }: FastifyRequest<Route>) {
  return cookie === undefined ? null : signIn.sessions.findPerson(cookie)
}

async function find({ store }: SignOnFlowDeps, connectionId: string): Promise<OpenConnection | null> {
  return isUuid(connectionId) ? store.findConnection(connectionId) : null
}

async function toSettings({ flow }: SignOnRouteDeps, reply: FastifyReply, connectionId: string): Promise<FastifyReply> {
  const slug = (await find(flow, connectionId))?.organization.slug
  return slug === undefined ? refuse(reply, 'unavailable') : redirect(reply, settingsPage(slug))
}

function settingsPage(slug: string): string {
  return `/console/o/${slug}/sign-on`
}

function refuse(reply: FastifyReply, refusal: SignOnRefusal): FastifyReply {
  return redirect(reply, `/console/sign-in?sign_on=${refusal}`)
}

// Addresses here hold codes and states, which no other site and no cache may see.
function redirect(reply: FastifyReply, to: string): FastifyReply {
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(to, 303)
}

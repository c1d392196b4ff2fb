import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { KnownDevices } from '#control/sign-in/known-devices.ts'
import type { LimitAttempts } from '#control/sign-in/limit-attempts.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { stringAt } from '#lib/json.ts'
import type { SignIn, SignInAnswer } from '#ports/people.ts'
import type { BodyReader } from '../bodies/body-reader.ts'
import { openBodyBytesMax } from '../bodies/body-sizes.ts'
import { headersOf } from '../headers-of.ts'
import { parseJsonBody } from '../parse-json-body.ts'
import { addAccountPages } from './account-pages.ts'

export interface SignInRouteDeps {
  readonly signIn: SignIn
  readonly limitAttempts: LimitAttempts
  readonly devices: KnownDevices
  readonly bodies: Pick<BodyReader, 'receive'>
  readonly clientIp: (request: FastifyRequest) => string | null
}

/** Everything under `/api/auth`, forwarded to the sign-in library, and the pages that emails link to. */
export function addSignInRoutes(server: FastifyInstance, deps: SignInRouteDeps): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    handler: async (request, reply) => {
      const body = request.method === 'POST' ? await bodyOf(deps, request, reply) : null
      const clientIp = deps.clientIp(request)
      const question = { method: request.method, target: request.url, headers: headersOf(request), body, clientIp }
      if (request.method !== 'POST') return answer(reply, deps, await deps.signIn.handle(question))
      // Every write counts, whatever its path. Reads need a cookie or token that cannot be guessed.
      const email = addressIn(body) ?? (await addressOfSession(deps, request))
      const deviceId = deps.devices.find(request.headers.cookie, email)
      const conclude = await deps.limitAttempts({ clientIp, email, deviceId, isGuess: isGuess(request.url) })
      const answered = await deps.signIn.handle(question).catch(async (error: unknown) => {
        await conclude('anything else')
        throw error
      })
      await conclude((await isWrongPassword(answered.response)) ? 'wrong password' : 'anything else')
      return answer(reply, deps, answered)
    },
  })
  addAccountPages(server)
}

// Requests to these paths contain an address, and their response reveals nothing about it. Every other path counts as a
// password check, so that no variant of a path escapes the count.
const silentPaths = new Set(['/sign-up/email', '/request-password-reset', '/send-verification-email'])

function isGuess(target: string): boolean {
  return !silentPaths.has(pathOf(target))
}

function pathOf(target: string): string {
  return target.replace(/\?.*/, '').replace('/api/auth', '')
}

/**
 * With a session, a person confirms their password without naming the address. A stolen session must not allow
 * unlimited guessing.
 */
async function addressOfSession({ signIn }: SignInRouteDeps, request: FastifyRequest): Promise<string | null> {
  const { cookie } = request.headers
  if (cookie === undefined || harmlessPaths.has(pathOf(request.url))) return null
  return (await signIn.sessions.findPerson(cookie))?.email ?? null
}

// Requests with a session that check no secret. A person may always end their sessions, whatever strangers have tried
// for their address.
const harmlessPaths = new Set([
  '/sign-out',
  '/update-user',
  '/revoke-session',
  '/revoke-sessions',
  '/revoke-other-sessions',
])

/** The library returns 401 for a wrong password at sign-in, and 400 with a code for one within a session. */
async function isWrongPassword(response: Response): Promise<boolean> {
  if (response.status === 401) return true
  return response.status === 400 && /"INVALID_(?:PASSWORD|CODE|BACKUP_CODE)"/.test(await response.clone().text())
}

async function bodyOf(deps: SignInRouteDeps, request: FastifyRequest, reply: FastifyReply): Promise<Buffer | null> {
  const { bytes, release } = await deps.bodies.receive(request, reply, openBodyBytesMax)
  release()
  return bytes.length === 0 ? null : bytes
}

function addressIn(body: Buffer | null): string | null {
  return body === null ? null : (stringAt(parseJsonBody(body), 'email') ?? null)
}

// Responses here are for one person at one time, and their URLs may contain tokens. A page of the library, such as its
// error page after social sign-in, may only use its own style.
const guardHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

async function answer(
  reply: FastifyReply,
  { devices }: Pick<SignInRouteDeps, 'devices'>,
  { response, provenEmail }: SignInAnswer,
): Promise<FastifyReply> {
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status === 404 && body.length === 0) {
    throw new GatewayError('notFound', { message: 'This sign-in method is not available.' })
  }
  reply.code(response.status)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  const cookies = response.headers.getSetCookie()
  if (provenEmail !== null) cookies.push(devices.issue(provenEmail))
  reply.headers(guardHeaders).header('set-cookie', cookies)
  return reply.send(body)
}

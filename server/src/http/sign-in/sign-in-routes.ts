import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { LimitAttempts } from '#control/sign-in/limit-attempts.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { stringAt } from '#lib/json.ts'
import type { SignIn } from '#ports/sign-in.ts'
import { parseJsonBody } from '../parse-json-body.ts'
import { addAccountPages } from './account-pages.ts'

export interface SignInRouteDeps {
  readonly signIn: SignIn
  readonly limitAttempts: LimitAttempts
  readonly clientIp: (request: FastifyRequest) => string | null
}

// Names, addresses, passwords and codes; nothing that a person signs in with is longer.
const bodyBytesMax = 16 * 1_024

/** Everything under `/api/auth`, passed on whole to whoever does the signing in, and the pages that mails link to. */
export function addSignInRoutes(server: FastifyInstance, deps: SignInRouteDeps): void {
  server.route({
    method: ['GET', 'POST'],
    url: '/api/auth/*',
    bodyLimit: bodyBytesMax,
    handler: async (request, reply) => {
      const body = Buffer.isBuffer(request.body) && request.body.length > 0 ? request.body : null
      const clientIp = deps.clientIp(request)
      // Every write counts, whatever it is called: what is guessed by reading would need a cookie or token that can not be.
      if (request.method === 'POST') await deps.limitAttempts({ clientIp, email: addressIn(body) })
      const response = await deps.signIn.handle({
        method: request.method,
        target: request.url,
        headers: headersOf(request),
        body,
        clientIp,
      })
      return answer(reply, response)
    },
  })
  addAccountPages(server)
}

function addressIn(body: Buffer | null): string | null {
  return body === null ? null : (stringAt(parseJsonBody(body), 'email') ?? null)
}

function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const text of Array.isArray(value) ? value : [value]) if (text !== undefined) headers.append(name, text)
  }
  return headers
}

// Answers here are for one person and one moment, and their addresses may hold tokens. A page of the library's, such as the one
// for errors on the way back from another provider, may have its style and nothing else.
const guardHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

async function answer(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const body = Buffer.from(await response.arrayBuffer())
  if (response.status === 404 && body.length === 0) {
    throw new GatewayError('notFound', { message: 'There is no such way to sign in here.' })
  }
  reply.code(response.status)
  for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value)
  reply.headers(guardHeaders).header('set-cookie', response.headers.getSetCookie())
  return reply.send(body)
}

import { Type } from 'typebox'
import { requestCode, type RequestCodeDeps } from '#control/institutions/request-code.ts'
import { verifyCode, type VerifyCodeDeps } from '#control/institutions/verify-code.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { Endpoint, ErrorForm } from '../endpoint.ts'

const key = Type.String({ description: 'Institution key. Starts with `sk-edu-`.' })
const email = Type.String({ description: 'Email address in a domain that the institution allows.' })

/** Sign-in for people with an institution's address, without a credential. */
export function entryEndpoints(deps: RequestCodeDeps & VerifyCodeDeps): Endpoint[] {
  const common = {
    method: 'POST',
    tag: 'Institutions',
    access: 'institutions.enter',
    errorForm: entryErrorForm,
  } as const
  return [
    {
      ...common,
      name: 'requestInstitutionCode',
      paths: ['/api/edu/request-code'],
      summary: 'Request a verification code by email',
      body: Type.Object({ key, email }),
      reply: {
        status: 200,
        description: 'The request was accepted. The response is the same whether or not a code was sent.',
        schema: Type.Object({ ok: Type.Boolean(), sent: Type.Boolean() }),
      },
      errors: ['codeInvalid', 'codeCooldown', 'codeRateLimited', 'mailNotConfigured', 'storeUnavailable'],
      handle: async ({ body, clientIp, requestId }) => {
        await requestCode(deps, { body, clientIp, requestId })
        return { body: { ok: true, sent: true } }
      },
    },
    {
      ...common,
      name: 'verifyInstitutionCode',
      paths: ['/api/edu/verify'],
      summary: 'Exchange a verification code for a session',
      body: Type.Object({ key, email, code: Type.String({ description: 'Six-digit verification code.' }) }),
      reply: {
        status: 200,
        description: 'The session. Use its token as a bearer token for chat completions and embeddings.',
        schema: Type.Object({
          token: Type.String({ description: 'Session token, returned only once. Starts with `edu-sess-`.' }),
          expiresAt: Type.String({ description: 'Time when the session expires, as an ISO 8601 string.' }),
          organization: Type.Object(
            { id: Type.String(), name: Type.String() },
            { description: 'Organization that pays for the session.' },
          ),
        }),
      },
      errors: ['codeInvalid', 'codeAttemptsUsed', 'codeRateLimited', 'storeUnavailable'],
      handle: async ({ body, clientIp, requestId, nowMs }) => {
        const { token, expiresAtMs, organization } = await verifyCode(deps, { body, clientIp, requestId, nowMs })
        const headers = { 'cache-control': 'no-store' }
        return { headers, body: { token, expiresAt: new Date(expiresAtMs).toISOString(), organization } }
      },
    },
  ]
}

/** Errors of these endpoints are one word, including those before the handler. */
const entryErrorForm: ErrorForm = {
  errorBody: (error) => JSON.stringify({ error: wordOf(error) }),
  schema: Type.Object({ error: Type.String({ description: 'Error code.' }) }),
}

function wordOf({ row }: GatewayError): string {
  if (typeof row.code === 'string') return row.code
  if (row.status === 429) return 'rate_limited'
  return row.status >= 500 ? 'unavailable' : 'invalid'
}

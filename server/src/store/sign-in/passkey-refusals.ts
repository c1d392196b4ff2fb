import { parseJsonObject } from '#lib/json.ts'

/**
 * Replaces the library's responses to rejected passkeys. It answers 500 to any registration that it cannot verify, so
 * clients could fill the error log, and it distinguishes passkeys of other accounts from passkeys that do not exist. An
 * unavailable database is reported before this.
 */
export async function replacePasskeyRefusal(target: string, response: Response): Promise<Response> {
  const action = /\/passkey\/([a-z-]+)\/*(?:\?|$)/.exec(target)?.[1]
  if (action === undefined || response.status < 400) return response
  const refusal = refusalFor(action, response.status, parseJsonObject(await response.clone().text())?.['code'])
  return refusal === null ? response : refusalAs(refusal, response.headers)
}

interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
}

function refusalFor(action: string, status: number, code: unknown): Refusal | null {
  if (action === 'verify-registration') return status === 500 ? unverified : null
  if (action === 'verify-authentication') {
    return code === 'PASSKEY_NOT_FOUND' || code === 'AUTHENTICATION_FAILED' ? failed : null
  }
  // Without a session the code is UNAUTHORIZED; with one, the passkey belongs to another account.
  const isForeign = status === 401 && code !== 'UNAUTHORIZED'
  return isForeign && (action === 'delete-passkey' || action === 'update-passkey') ? missing : null
}

const unverified: Refusal = {
  status: 400,
  code: 'FAILED_TO_VERIFY_REGISTRATION',
  message: 'Failed to verify registration',
}
const failed: Refusal = { status: 401, code: 'AUTHENTICATION_FAILED', message: 'Authentication failed' }
const missing: Refusal = { status: 404, code: 'PASSKEY_NOT_FOUND', message: 'Passkey not found' }

function refusalAs({ status, code, message }: Refusal, headers: Headers): Response {
  const kept = new Headers(headers)
  kept.delete('content-length')
  kept.set('content-type', 'application/json')
  return new Response(JSON.stringify({ message, code }), { status, headers: kept })
}

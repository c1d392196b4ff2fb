import { GatewayError } from '#errors/gateway-error.ts'
import { unauthenticated } from './unauthenticated.ts'

export interface CredentialHeaders {
  authorization?: string | undefined
  /** Passed only by endpoints whose clients send their key in `x-api-key`. */
  apiKey?: string | undefined
}

const keyPrefix = 'sk-weir-'
const institutionKeyPrefix = 'sk-edu-'
const institutionSessionPrefix = 'edu-sess-'
const secretLengthMin = 20
const secretLengthMax = 200

/** The secret of the request: a key's, or the token of an institution's session. What can not be one of ours is refused here, before anything is hashed or looked up. */
export function readCredential({ authorization, apiKey }: CredentialHeaders): string {
  const bearer = authorization === undefined ? undefined : readBearer(authorization)
  const secret = apiKey ?? bearer
  if (secret === undefined) throw unauthenticated('no credential')
  if (bearer !== undefined && bearer !== secret) throw unauthenticated('two different credentials')
  // Whether there is such a key is not looked up: the answer is the same, and says nothing about it.
  if (secret.startsWith(institutionKeyPrefix)) {
    throw new GatewayError('forbidden', {
      message:
        'An institution key can not be used directly. It must be exchanged for a session: POST /api/edu/request-code, then POST /api/edu/verify.',
    })
  }
  const isOurs = secret.startsWith(keyPrefix) || secret.startsWith(institutionSessionPrefix)
  if (!isOurs || secret.length < secretLengthMin || secret.length > secretLengthMax) {
    throw unauthenticated('not the form of a key')
  }
  return secret
}

function readBearer(authorization: string): string {
  // The length is bounded first, so that nobody can make the expression work for long.
  const secret = authorization.length > 300 ? undefined : /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (secret === undefined) throw unauthenticated('the Authorization header is not a Bearer credential')
  return secret
}

import { GatewayError } from '#errors/gateway-error.ts'
import { unauthenticated } from './unauthenticated.ts'

export interface CredentialHeaders {
  authorization?: string | undefined
  /** Passed only by endpoints whose clients send their key in `x-api-key`. */
  apiKey?: string | undefined
}

const secretPrefix = 'sk-weir-'
const educationPrefix = 'sk-edu-'
const secretLengthMin = 20
const secretLengthMax = 200

/** The secret of the request. What can not be one of ours is refused here, before anything is hashed or looked up. */
export function readCredential({ authorization, apiKey }: CredentialHeaders): string {
  const bearer = authorization === undefined ? undefined : readBearer(authorization)
  const secret = apiKey ?? bearer
  if (secret === undefined) throw unauthenticated('no credential')
  if (bearer !== undefined && bearer !== secret) throw unauthenticated('two different credentials')
  if (secret.startsWith(educationPrefix)) {
    throw new GatewayError('forbidden', {
      message: 'An education key does not open this endpoint. Exchange it for a session first.',
    })
  }
  const isOurs = secret.startsWith(secretPrefix)
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

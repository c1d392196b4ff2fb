import type * as OpenId from 'openid-client'
import { boundClaims, type ProvenIdentity } from '#domain/sign-on/proven-identity.ts'
import type { Egress } from '#ports/outbound.ts'
import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import type { OidcClient, OidcQuery } from '#ports/sign-on.ts'
import { describeOidcFailure } from './describe-oidc-failure.ts'
import type { GuardedFetch } from './guarded-fetch.ts'

interface OidcClientOptions {
  readonly fetch: GuardedFetch
  readonly egress: Pick<Egress, 'judgeText'>
}

// A provider's clock and ours may differ by this much.
const clockToleranceS = 60
const timeoutS = 10

/**
 * Signs people in at OpenID Connect providers with `openid-client`: authorization code, PKCE, nonce and state. The
 * issuer must be exactly the configured one, in the discovery document, in the ID token and, where the provider sends
 * it, in the callback. The signature of the ID token is verified although the token comes from the provider itself.
 */
export function createOidcClient(options: OidcClientOptions): OidcClient {
  return {
    begin: (query) => explained(() => begin(options, query)),
    finish: (query) => explained(() => finish(options, query)),
  }
}

async function begin(options: OidcClientOptions, query: OidcQuery): Promise<{ url: string; memory: JsonObject }> {
  const openId = await load()
  const config = await discover(openId, options, query)
  const verifier = openId.randomPKCECodeVerifier()
  const nonce = openId.randomNonce()
  const groupsScope = config.serverMetadata().scopes_supported?.includes('groups') === true ? ' groups' : ''
  const { href } = openId.buildAuthorizationUrl(config, {
    redirect_uri: query.redirectUri,
    scope: `openid email profile${groupsScope}`,
    state: query.state,
    nonce,
    code_challenge: await openId.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  const verdict = options.egress.judgeText(href.slice(0, 2_000))
  if (!verdict.allowed) throw new Error(`The authorization endpoint ${verdict.message}`)
  return { url: href, memory: { verifier, nonce } }
}

async function finish(
  options: OidcClientOptions,
  query: OidcQuery & { callback: URL; memory: JsonObject },
): Promise<ProvenIdentity> {
  const openId = await load()
  const config = await discover(openId, options, query)
  const tokens = await openId.authorizationCodeGrant(config, query.callback, {
    expectedState: query.state,
    expectedNonce: stringAt(query.memory, 'nonce') ?? '',
    pkceCodeVerifier: stringAt(query.memory, 'verifier') ?? '',
    idTokenExpected: true,
  })
  const proven = tokens.claims()
  if (proven === undefined) throw new Error('The provider sent no ID token.')
  const isComplete = proven['email'] !== undefined || config.serverMetadata().userinfo_endpoint === undefined
  const further = isComplete ? {} : await openId.fetchUserInfo(config, tokens.access_token, proven.sub)
  return identityOf({ ...plain(further), ...plain(proven) }, query.settings.groupsClaim)
}

async function discover(openId: typeof OpenId, { fetch }: OidcClientOptions, query: OidcQuery) {
  const { organizationId, settings, clientSecret } = query
  const customFetch: OpenId.CustomFetch = (url, { method, headers, body }) =>
    fetch(organizationId, new URL(url), {
      method,
      headers,
      body: body === null || body === undefined ? '' : String(body),
    })
  const metadata = { client_secret: clientSecret, [openId.clockTolerance]: clockToleranceS }
  // The egress guard allows plain http only to addresses that the operator opened.
  const insecure = settings.issuer.startsWith('http:') ? [openId.allowInsecureRequests] : []
  return openId.discovery(new URL(settings.issuer), settings.clientId, metadata, undefined, {
    [openId.customFetch]: customFetch,
    execute: [openId.enableNonRepudiationChecks, ...insecure],
    timeout: timeoutS,
  })
}

/** Loaded at the first sign-in: most gateways have no organization with a provider. */
function load(): Promise<typeof OpenId> {
  return import('openid-client')
}

function identityOf(claims: JsonObject, groupsClaim: string): ProvenIdentity {
  const email = stringAt(claims, 'email') ?? null
  return {
    subject: stringAt(claims, 'sub') ?? '',
    email: claims['email_verified'] === false || claims['email_verified'] === 'false' ? null : email,
    name: stringAt(claims, 'name') ?? null,
    groups: groupsIn(claims, groupsClaim),
    claims: boundClaims(claims),
  }
}

function groupsIn(claims: JsonObject, groupsClaim: string): readonly string[] | null {
  const value = claims[groupsClaim]
  if (value === undefined) return null
  return (Array.isArray(value) ? value : [value]).filter((group) => typeof group === 'string')
}

function plain(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw describeOidcFailure(error)
  }
}

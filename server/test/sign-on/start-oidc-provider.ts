import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'

/** A certified OpenID Connect provider on loopback. Its form asks for the name of a person and no password. */
export interface OidcProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The claims of its people by subject. */
  readonly people: Map<string, Record<string, unknown>>
  close(): Promise<void>
}

const clientId = 'weir'
const clientSecret = 'a secret of the provider and its client'
const scopes = 'openid email profile groups'

export async function startOidcProvider(redirectUris: readonly string[]): Promise<OidcProvider> {
  const people: OidcProvider['people'] = new Map()
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new Provider(issuer, settings({ people, redirectUris }))
  const serve = provider.callback()
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/interaction/') !== true) return serve(request, response)
    void (request.method === 'POST' ? logIn(provider, request, response) : showForm(request, response))
  })
  return {
    issuer,
    clientId,
    clientSecret,
    people,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function settings({
  people,
  redirectUris,
}: Pick<OidcProvider, 'people'> & { redirectUris: readonly string[] }): object {
  return {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'], groups: ['groups'] },
    scopes: scopes.split(' '),
    conformIdTokenClaims: false,
    cookies: { keys: ['a key of the provider'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, ...people.get(id) }),
    }),
    loadExistingGrant: grantAll,
  }
}

interface GrantContext {
  oidc: {
    provider: { Grant: new (terms: object) => { addOIDCScope(scope: string): void; save(): Promise<unknown> } }
    client: { clientId: string }
    session: { accountId: string }
  }
}

/** Consent is never asked for, as with providers of companies. */
async function grantAll({ oidc }: GrantContext): Promise<unknown> {
  const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
  grant.addOIDCScope(scopes)
  await grant.save()
  return grant
}

async function showForm(request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.setHeader('content-type', 'text/html')
  response.end(`<!doctype html><title>Identity provider</title><form method="post" action="${request.url}">
    <label>User <input name="login" autofocus></label> <button>Continue</button></form>`)
}

async function logIn(provider: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const accountId = new URLSearchParams(await text(request)).get('login') ?? ''
  await provider.interactionFinished(request, response, { login: { accountId } })
}

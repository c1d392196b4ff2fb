import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignOnHome, type SignOnWorld, startSignOnWorld } from './sign-on-world.ts'
import {
  type ForgingProvider,
  signWithSecret,
  startForgingProvider,
  type TokenParts,
  unsigned,
} from './start-forging-provider.ts'
import type { TestBrowser } from './test-browser.ts'

let world: SignOnWorld
let home: SignOnHome
let provider: ForgingProvider
let other: ForgingProvider
let connectionId: string
beforeAll(async () => {
  world = await startSignOnWorld()
  home = await world.newHome()
  ;[provider, other] = [await startForgingProvider(), await startForgingProvider()]
  const { issuer, clientId, clientSecret } = provider
  const added = await home.admin.post(`${home.path}/connections`, { name: 'Staff', issuer, clientId, clientSecret })
  connectionId = String(added.data['id'])
  await home.admin.patch(`${home.path}/connections/${connectionId}`, { enabled: true })
})
afterAll(async () => {
  await world.close()
  await provider.close()
  await other.close()
})

const stranger = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey
const refused = (why: string): string => `/console/sign-in?sign_on=${why}`

interface Forgery {
  /** The token in place of the genuine one. */
  readonly token?: (parts: TokenParts) => string
  /** The parameters that the browser brings in place of the genuine ones. */
  readonly callback?: (genuine: Record<string, string>) => Record<string, string>
}

const withClaims = (change: object) => (parts: TokenParts) =>
  provider.sign({ ...parts, claims: { ...parts.claims, ...change } })
const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds

/** Signs in with a forged answer and returns the page that the browser ends at. */
async function signOn(browser: TestBrowser, { token, callback }: Forgery, query = ''): Promise<string> {
  const start = `/api/sign-on/${home.id}/start?connection=${connectionId}${query}`
  const { location } = await browser.open(start, { follows: () => false })
  const { searchParams } = new URL(location ?? '')
  const nonce = searchParams.get('nonce') ?? ''
  const parts = provider.partsFor({ subject: 'eve', email: `eve@${home.domain}`, nonce })
  provider.setToken(token === undefined ? provider.sign(parts) : token(parts))
  const genuine = { code: 'a-code', state: searchParams.get('state') ?? '', iss: provider.issuer }
  const brought = new URLSearchParams(callback === undefined ? genuine : callback(genuine))
  const { url } = await browser.open(`${home.redirectUri}?${brought}`)
  return url.pathname + url.search
}

async function adminBrowser(): Promise<TestBrowser> {
  const browser = world.browser()
  const [name = '', value = ''] = (await world.signIn(home.adminUserId)).split('=')
  browser.setCookie(name, value)
  return browser
}

async function testError(): Promise<string | null> {
  const { json } = await home.admin.get(`${home.path}/connections`)
  const [connection] = json['data'] as { test: { error: string | null } | null }[]
  return connection?.test?.error ?? null
}

const forgeries: readonly (readonly [string, Forgery, RegExp])[] = [
  ['another audience', { token: withClaims({ aud: 'another-client' }) }, /aud/],
  ['a further audience', { token: withClaims({ aud: ['weir', 'b'] }) }, /additional untrusted audiences/],
  ['another issuer', { token: withClaims({ iss: 'https://other.example' }) }, /iss/],
  ['an expired token', { token: (parts) => withClaims({ exp: secondsFromNow(-90) })(parts) }, /exp/],
  ['a token of the future', { token: (parts) => withClaims({ nbf: secondsFromNow(90) })(parts) }, /nbf/],
  ['another nonce', { token: withClaims({ nonce: 'another' }) }, /nonce/],
  ['no nonce', { token: withClaims({ nonce: undefined }) }, /nonce/],
  ['no subject', { token: withClaims({ sub: undefined }) }, /sub/],
  ['no signature', { token: unsigned }, /alg/],
  ['a key of a stranger', { token: (parts) => provider.sign(parts, stranger) }, /signature/],
  ["the key of another organization's provider", { token: (parts) => other.sign(parts) }, /signature/],
  ['the client secret as the key', { token: (parts) => signWithSecret(parts, provider.clientSecret) }, /alg/],
  [
    'changed claims below the old signature',
    {
      token: (parts) => {
        const [, claims] = provider.sign({ ...parts, claims: { ...parts.claims, sub: 'ada' } }).split('.')
        const [header, , signature] = provider.sign(parts).split('.')
        return [header, claims, signature].join('.')
      },
    },
    /signature/,
  ],
  ['the issuer of another provider beside the code', { callback: (own) => ({ ...own, iss: other.issuer }) }, /iss/],
  ['no issuer beside the code', { callback: ({ code = '', state = '' }) => ({ code, state }) }, /iss/],
  ['an error beside the code', { callback: (own) => ({ ...own, error: 'access_denied' }) }, /access_denied/],
  ['no code', { callback: ({ state = '', iss = '' }) => ({ state, iss }) }, /code/],
]

describe('forged answers of an OpenID Connect provider', () => {
  it('are judged against a genuine answer, which signs its person in', async () => {
    const browser = world.browser()
    expect(await signOn(browser, {})).toMatch(/^\/console\/o\//)
    expect(await world.personIn(browser)).not.toBeNull()
  })

  it.each(forgeries)('are refused: %s', async (_name, forgery, words) => {
    const browser = world.browser()
    expect(await signOn(browser, forgery)).toBe(refused('provider'))
    expect(await world.personIn(browser)).toBeNull()
    // A test of the connection names the reason, so that no forgery is refused by chance.
    await signOn(await adminBrowser(), forgery, '&test=true')
    expect(await testError()).toMatch(words)
  })

  it('are refused with another state, no state, or a state that was used', async () => {
    const browser = world.browser()
    let used = ''
    for (const state of ['another', '']) {
      expect(await signOn(browser, { callback: (own) => ({ ...own, state }) })).toBe(refused('expired'))
    }
    const first = world.browser()
    await signOn(first, { callback: (own) => ((used = own['state'] ?? ''), own) })
    expect(await signOn(browser, { callback: (own) => ({ ...own, state: used }) })).toBe(refused('expired'))
    expect(await world.personIn(browser)).toBeNull()
  })
})

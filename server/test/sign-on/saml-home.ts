import { inflateRawSync } from 'node:zlib'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { type ResponseTerms, responseXml, signXml } from './saml-response.ts'
import { type SelfSigned, selfSigned } from './self-signed.ts'
import type { SignOnHome, SignOnWorld } from './sign-on-world.ts'
import type { TestBrowser } from './test-browser.ts'

/** An organization with an enabled SAML provider, whose answers the test writes and signs. */
export interface SamlHome extends SignOnHome {
  readonly connectionId: string
  readonly key: SelfSigned
  readonly issuer: string
  readonly acs: string
  /** Begins a sign-in. Returns what the provider would know. */
  begin(browser: TestBrowser, query?: string): Promise<Begun>
  /** What a genuine answer says. */
  termsFor(person: string, requestId: string | null): ResponseTerms
  genuine(person: string, requestId: string | null, terms?: Partial<ResponseTerms>): string
  /** Posts an answer as the provider's page does. Returns the page that the browser ends at. */
  answer(browser: TestBrowser, xml: string, relayState?: string): Promise<string>
  /** The browser of the organization's administrator, who may test the connection. */
  adminBrowser(): Promise<TestBrowser>
  /** The result of the last test. */
  lastTest(): Promise<{ error: string | null; claims: Record<string, unknown> } | null>
}

interface SamlHomeSettings {
  readonly issuer?: string
  readonly allowsUnsolicited?: boolean
  readonly subjectAttribute?: string | null
}

export interface Begun {
  readonly requestId: string
  readonly relayState: string
}

export async function newSamlHome(
  world: SignOnWorld,
  { issuer = 'https://idp.example/', allowsUnsolicited = false, subjectAttribute = null }: SamlHomeSettings = {},
): Promise<SamlHome> {
  const home = await world.newHome()
  const key = selfSigned()
  const { certificate } = key
  const body = {
    kind: 'saml',
    name: 'Staff',
    issuer,
    signInUrl: 'http://127.0.0.1:8443/sso',
    certificates: [certificate],
    emailAttribute: 'mail',
    subjectAttribute,
    allowsUnsolicited,
  }
  const added = await home.admin.post(`${home.path}/connections`, body)
  if (added.status !== 201) throw new Error(added.text)
  const connectionId = String(added.data['id'])
  await home.admin.patch(`${home.path}/connections/${connectionId}`, { enabled: true })
  const acs = `${ownOrigin}/api/sign-on/${home.id}/saml`
  const termsFor = (person: string, requestId: string | null): ResponseTerms => ({
    issuer,
    audience: `${acs}/metadata`,
    recipient: acs,
    requestId,
    nameId: person,
    attributes: { mail: [`${person}@${home.domain}`] },
    // Each assertion counts once, so each has an id of its own.
    assertionId: `_${crypto.randomUUID()}`,
  })
  return {
    ...home,
    connectionId,
    key,
    issuer,
    acs,
    begin: async (browser, query = '') => {
      const start = `/api/sign-on/${home.id}/start?connection=${connectionId}${query}`
      const { location } = await browser.open(start, { follows: () => false })
      const { searchParams } = new URL(location ?? '')
      const request = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
      return { requestId: / ID="([^"]+)"/.exec(request)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '' }
    },
    termsFor,
    genuine: (person, requestId, terms = {}) => {
      const all = { ...termsFor(person, requestId), ...terms }
      return signXml(responseXml(all), key, { id: all.assertionId ?? '' })
    },
    answer: async (browser, xml, relayState) => {
      const form = {
        SAMLResponse: Buffer.from(xml).toString('base64'),
        ...(relayState === undefined ? {} : { RelayState: relayState }),
      }
      const { url } = await browser.open(acs, { form })
      return url.pathname + url.search
    },
    adminBrowser: async () => {
      const browser = world.browser()
      const [name = '', value = ''] = (await world.signIn(home.adminUserId)).split('=')
      browser.setCookie(name, value)
      return browser
    },
    lastTest: async () => {
      const { json } = await home.admin.get(`${home.path}/connections`)
      const [connection] = json['data'] as { test: { error: string | null; claims: Record<string, unknown> } | null }[]
      return connection?.test ?? null
    },
  }
}

import { stringAt, parseJsonObject } from '#lib/json.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Attack } from '../area.ts'
import type { Answer } from '../setup/send.ts'
import { sessionIn, setCookies, visit } from './visitor.ts'

const elsewhere = ['https://evil.example/', '//evil.example/', '/\\evil.example', `${ownOrigin}.evil.example/`]

/**
 * A sign-in with another provider starts and ends in the same browser, once. No attempt reaches the provider: the
 * gateway rejects a wrong state before it exchanges the code.
 */
export async function tryProviders(attack: Attack): Promise<void> {
  await tryAddresses(attack)
  await tryStates(attack)
  await tryTokens(attack)
}

/** A started sign-in: the state that the provider sends back, and the cookies of the browser. */
interface Departure {
  readonly address: URL
  readonly state: string
  readonly cookie: string
}

async function depart(attack: Attack, headers: Readonly<Record<string, string>> = {}): Promise<Departure> {
  const answer = await visit(attack, '/sign-in/social', { body: { provider: 'google', callbackURL: '/keys' }, headers })
  const body = parseJsonObject(answer.text)
  const address = new URL((body && stringAt(body, 'url')) ?? `about:blank?${answer.status}`)
  const cookie = setCookies(answer.headers)
    .map((text) => text.split(';')[0])
    .join('; ')
  return { address, state: address.searchParams.get('state') ?? '', cookie }
}

async function tryAddresses(attack: Attack): Promise<void> {
  const { report } = attack
  const { address } = await depart(attack, { 'x-forwarded-host': 'evil.example', host: 'evil.example' })
  const expected = {
    redirect_uri: `${ownOrigin}/api/auth/callback/google`,
    response_type: 'code',
    code_challenge_method: 'S256',
  }
  const got = Object.fromEntries(Object.keys(expected).map((name) => [name, address.searchParams.get(name)]))
  report.judge({
    label: 'the address at the provider, for a forged host',
    isRight:
      address.origin === 'https://accounts.google.com' &&
      JSON.stringify(got) === JSON.stringify(expected) &&
      /^[\w-]{43}$/.test(address.searchParams.get('code_challenge') ?? ''),
    expected: `${JSON.stringify(expected)} and a hashed challenge`,
    got: address.href,
  })
  for (const target of elsewhere) {
    for (const field of ['callbackURL', 'errorCallbackURL', 'newUserCallbackURL']) {
      const { status, text } = await visit(attack, '/sign-in/social', { body: { provider: 'google', [field]: target } })
      report.judge({
        label: `a provider leads back to ${target} by ${field}`,
        isRight: status === 403,
        expected: '403',
        got: `${status} ${text.slice(0, 200)}`,
      })
    }
  }
}

async function tryStates(attack: Attack): Promise<void> {
  const comeBack = (query: string, cookie: string): Promise<Answer> =>
    visit(attack, `/callback/google?${query}`, { headers: { cookie } })
  const [owner, eve, denied] = [await depart(attack), await depart(attack), await depart(attack)]
  const states: Record<string, readonly [query: string, cookie: string]> = {
    'no state': ['code=stolen', owner.cookie],
    'an empty state': ['code=stolen&state=', owner.cookie],
    'a made-up state': ['code=stolen&state=made-up', owner.cookie],
    "the attacker's state in the owner's browser": [`code=stolen&state=${eve.state}`, owner.cookie],
    'a state in a browser that did not begin': [`code=stolen&state=${owner.state}`, ''],
    'a state with a forged cookie': [`code=stolen&state=${owner.state}`, owner.cookie.replace(/=[^%.]{4}/, '=AAAA')],
  }
  for (const [name, [query, cookie]] of Object.entries(states)) judgeState(attack, name, await comeBack(query, cookie))
  const refusal = await comeBack(`error=access_denied&state=${denied.state}`, denied.cookie)
  attack.report.judge({
    label: 'a state that comes back denied',
    isRight: String(refusal.headers['location']).includes('error=access_denied') && sessionIn(refusal) === null,
    expected: 'the error of the provider',
    got: `${refusal.status} ${String(refusal.headers['location'])}`,
  })
  const again = await comeBack(`code=stolen&state=${denied.state}`, denied.cookie)
  judgeState(attack, 'a state that was used', again)
}

function judgeState({ report }: Attack, name: string, answer: Answer): void {
  const location = String(answer.headers['location'])
  report.judge({
    label: `back from a provider with ${name}`,
    isRight:
      answer.status === 302 &&
      sessionIn(answer) === null &&
      location.startsWith(`${ownOrigin}/`) &&
      /[?&]error=(?:state_|invalid_callback|please_restart)/.test(location),
    expected: `302 to ${ownOrigin} with an error of the state`,
    got: `${answer.status} ${location}`,
  })
}

/** Tries tokens without a signature in another person's name. */
async function tryTokens(attack: Attack): Promise<void> {
  const claims = { iss: 'https://accounts.google.com', aud: 'our-client', sub: '1', email: 'eve@example.com' }
  for (const alg of ['none', 'HS256']) {
    const token = `${part({ alg })}.${part({ ...claims, email_verified: true, exp: 4_000_000_000 })}.`
    const answer = await visit(attack, '/sign-in/social', { body: { provider: 'google', idToken: { token } } })
    attack.report.judge({
      label: `a token of a provider with the signature ${alg}`,
      isRight: sessionIn(answer) === null && answer.status >= 400 && answer.status < 500,
      expected: 'a refusal, and no session',
      got: `${answer.status} ${answer.text.slice(0, 200)}`,
    })
  }
}

function part(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

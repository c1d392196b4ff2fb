import { parseJsonObject } from '#lib/json.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import {
  type Claims,
  createSoftwareAuthenticator,
  type SoftwareAuthenticator,
} from '#test/sign-in/software-authenticator.ts'
import type { Attack } from '../area.ts'
import type { Answer } from '../setup/send.ts'
import { sessionIn, setCookies, signIn, signUp, visit } from './visitor.ts'

const rpId = new URL(ownOrigin).hostname

/** A challenge, and the cookies that bind it to its browser. */
interface Challenge {
  readonly challenge: string
  readonly cookie: string
}

/** A signed-in person with a device that holds their passkey. */
export interface PasskeyHolder {
  readonly email: string
  readonly cookie: string
  readonly device: SoftwareAuthenticator
}

export async function createPasskeyHolder(attack: Attack): Promise<PasskeyHolder> {
  const email = await signUp(attack)
  const holder = { email, cookie: await signIn(attack, email), device: createSoftwareAuthenticator() }
  const asked = await askToRegister(attack, holder)
  const answer = await register(attack, holder.device.register(claimsFor(asked)), `${holder.cookie}; ${asked.cookie}`)
  if (answer.status !== 200) throw new Error(`no passkey: ${answer.status} ${answer.text}`)
  return holder
}

export function claimsFor({ challenge }: Challenge): Claims {
  return { challenge, rpId, origin: ownOrigin }
}

export function askToRegister(attack: Attack, { cookie }: Pick<PasskeyHolder, 'cookie'>): Promise<Challenge> {
  return askFor(attack, '/passkey/generate-register-options', { cookie })
}

export function askToSignIn(attack: Attack): Promise<Challenge> {
  return askFor(attack, '/passkey/generate-authenticate-options', {})
}

async function askFor(attack: Attack, path: string, headers: Record<string, string>): Promise<Challenge> {
  const answer = await visit(attack, path, { headers })
  const challenge = parseJsonObject(answer.text)?.['challenge']
  if (typeof challenge !== 'string') throw new Error(`no challenge: ${answer.status} ${answer.text}`)
  const cookie = setCookies(answer.headers)
    .map((text) => text.split(';')[0])
    .join('; ')
  return { challenge, cookie }
}

export function register(attack: Attack, response: unknown, cookie: string): Promise<Answer> {
  return visit(attack, '/passkey/verify-registration', { body: { response, name: 'laptop' }, headers: { cookie } })
}

export function signInWith(attack: Attack, response: unknown, cookie: string): Promise<Answer> {
  return visit(attack, '/passkey/verify-authentication', { body: { response }, headers: { cookie } })
}

/** Counts the attempt. Anything but a rejection without a session is a finding. */
export function judgeRefusal({ report }: Attack, label: string, answer: Answer): void {
  report.judge({
    label,
    isRight: sessionIn(answer) === null && answer.status >= 400 && answer.status < 500 && answer.status !== 429,
    expected: 'a refusal, and no session',
    got: `${answer.status} ${answer.text.slice(0, 200)}`,
  })
}

/** The passkey still signs in its owner and no other person. */
export async function judgeOwner(attack: Attack, label: string, { email, device }: PasskeyHolder): Promise<void> {
  const asked = await askToSignIn(attack)
  const answer = await signInWith(attack, device.authenticate(claimsFor(asked)), asked.cookie)
  const session = sessionIn(answer)
  const { text } = await visit(attack, '/get-session', { headers: { cookie: session ?? '' } })
  attack.report.judge({
    label,
    isRight: session !== null && text.includes(`"${email}"`),
    expected: `a session of ${email}`,
    got: `${answer.status} ${answer.text.slice(0, 200)}, ${text.slice(0, 200)}`,
  })
}

export const foreignClaims: Readonly<Record<string, Partial<Claims>>> = {
  'the origin of another site': { origin: 'https://evil.example' },
  'our origin without encryption': { origin: ownOrigin.replace('https:', 'http:') },
  'our origin at another port': { origin: `${ownOrigin}:444` },
  'an origin that begins as ours': { origin: `${ownOrigin}.evil.example` },
  'an origin below ours': { origin: `https://a.${rpId}` },
  'no origin': { origin: '' },
  'the party of another site': { rpId: 'evil.example' },
  'the party above ours': { rpId: rpId.split('.').slice(1).join('.') },
  'a challenge of its own': { challenge: Buffer.alloc(32, 7).toString('base64url') },
  'no challenge': { challenge: '' },
}

export const noResponses: readonly unknown[] = [
  null,
  {},
  [],
  'x',
  { id: 'x' },
  { id: 1, rawId: 1, type: 1, response: 1 },
  { id: ['x'], rawId: ['x'], type: 'public-key', response: {} },
  {
    id: 'x',
    rawId: 'x',
    type: 'public-key',
    response: { clientDataJSON: 'e30', authenticatorData: '', signature: '' },
  },
]

import { randomBytes } from 'node:crypto'
import { sessionCookieName } from '#test/setup/session-cookie.ts'
import { linkIn } from '#test/setup/mail-server.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Attack } from '../area.ts'
import { type Answer, sendJson } from '../setup/send.ts'

export const password = 'correct horse battery'

interface Visit {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The client's address. The default is a new one, because attempts are counted per address. */
  readonly from?: string
}

let visitors = 0

/** Returns another address of this machine: 127.0.0.0/8 has sixteen million. */
export function newClientAddress(): string {
  visitors += 1
  return `127.77.${Math.floor(visitors / 250)}.${1 + (visitors % 250)}`
}

export function newMailAddress(): string {
  return `eve.${randomBytes(6).toString('hex')}@example.com`
}

/** Requests `/api/auth` as a page of the console would, unless other headers are given. */
export function visit({ world }: Attack, path: string, { method, body, headers, from }: Visit = {}): Promise<Answer> {
  return sendJson(`${world.nextGateway().url}/api/auth${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    body,
    headers: { origin: ownOrigin, ...headers },
    localAddress: from ?? newClientAddress(),
  })
}

/** Creates a person with a confirmed address and a password. */
export async function signUp(attack: Attack): Promise<string> {
  const email = newMailAddress()
  await visit(attack, '/sign-up/email', { body: { email, password, name: 'Ada' } })
  const { search } = linkIn(await attack.world.mail.nextTo(email))
  await visit(attack, `/verify-email${search}`)
  return email
}

/** The session that a response starts, as a `Cookie` header, or null for none. */
export function sessionIn({ headers }: Answer): string | null {
  const pair = setCookies(headers).findLast((text) => text.startsWith(`${sessionCookieName}=`))
  const [cookie = ''] = pair?.split(';') ?? []
  return cookie === '' || cookie === `${sessionCookieName}=` ? null : cookie
}

export function setCookies(headers: Answer['headers']): readonly string[] {
  const found = headers['set-cookie']
  return Array.isArray(found) ? found : found === undefined ? [] : [found]
}

export async function signIn(attack: Attack, email: string): Promise<string> {
  const answer = await visit(attack, '/sign-in/email', { body: { email, password } })
  const cookie = sessionIn(answer)
  if (cookie === null) throw new Error(`no session: ${answer.status} ${answer.text}`)
  return cookie
}

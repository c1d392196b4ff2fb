import { sessionCookieName } from '#test/setup/session-cookie.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import type { Attack } from '../area.ts'
import { readAccess } from '#test/oracle/read-access.ts'
import { asCurl, sendJson } from '../setup/send.ts'
import { password, sessionIn, signIn, signUp, visit } from './visitor.ts'

const foreignOrigins = [
  'https://evil.example',
  'null',
  ownOrigin.replace('https:', 'http:'),
  `${ownOrigin}.evil.example`,
  `${ownOrigin}:444`,
  `https://evil.example?${ownOrigin}`,
]

/** Requests that a foreign page makes a browser send: writes with a session, and a sign-in as another person. */
export async function tryForeignPages(attack: Attack): Promise<void> {
  const { world, report } = attack
  const email = await signUp(attack)
  const cookie = await signIn(attack, email)
  const writes = [...readAccess().values()].filter(
    ({ method, accepts }) => method !== 'GET' && method !== 'HEAD' && accepts?.has('session') === true,
  )
  for (const { method, path } of writes) {
    for (const origin of [...foreignOrigins, null]) {
      const label = `${method} ${path} with a session, from ${origin ?? 'a page without a name'}`
      if (!report.attempt(label)) continue
      const url = world.nextGateway().url + path.replaceAll(/\{\w+\}/g, '01890000-0000-7000-8000-000000000000')
      const request = { method, headers: { cookie, ...(origin === null ? {} : { origin }) }, body: {} }
      const { status, text } = await sendJson(url, request)
      if (status === 401 || status === 403) continue
      report.find({
        label,
        expected: '401 or 403',
        got: `${status} ${text.slice(0, 200)}`,
        request: asCurl(url, request),
      })
    }
  }
  for (const origin of foreignOrigins) {
    const label = `sign-in from ${origin}`
    const answer = await visit(attack, '/sign-in/email', { body: { email, password }, headers: { origin } })
    const isRight = answer.status === 403 && sessionIn(answer) === null
    report.judge({ label, isRight, expected: '403 without a session', got: `${answer.status} ${answer.text}` })
  }
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const { status } = await visit(attack, '/sign-in/email', {
      body: { email, password },
      headers: { 'content-type': type },
    })
    report.judge({ label: `sign-in as ${type}`, isRight: status === 415, expected: '415', got: String(status) })
  }
}

/** A session is only valid in its original spelling, and only in its cookie. */
export async function tryCookieSpellings(attack: Attack): Promise<void> {
  const { world, report } = attack
  const cookie = await signIn(attack, await signUp(attack))
  const other = await signIn(attack, await signUp(attack))
  const value = decodeURIComponent(cookie.slice(sessionCookieName.length + 1))
  const [secret = '', signature = ''] = value.split('.')
  const foreignSignature = decodeURIComponent(other).split('.').at(-1) ?? ''
  const spellings: Record<string, Record<string, string>> = {
    'the name in upper case': named(sessionCookieName.toUpperCase(), value),
    'the name with a prefix': named(`__Host-${sessionCookieName}`, value),
    'no signature': named(sessionCookieName, secret),
    'an empty signature': named(sessionCookieName, `${secret}.`),
    'half a signature': named(sessionCookieName, `${secret}.${signature.slice(0, 20)}`),
    'the signature of another session': named(sessionCookieName, `${secret}.${foreignSignature}`),
    'another secret': named(sessionCookieName, `${'A'.repeat(secret.length)}.${signature}`),
    'something behind it': named(sessionCookieName, `${value}x`),
    'the value in quotes': { cookie: `${sessionCookieName}="${value}x"` },
    'a bearer token': { authorization: `Bearer ${value}` },
    'a key of another header': { 'x-session-token': value },
  }
  const path = '/v1/keys'
  for (const [name, headers] of Object.entries(spellings)) {
    const { status } = await sendJson(world.nextGateway().url + path, { headers })
    report.judge({ label: `session as ${name}`, isRight: status === 401, expected: '401', got: String(status) })
  }
  const inQuery = `${path}?${sessionCookieName}=${encodeURIComponent(value)}&session=${encodeURIComponent(value)}`
  const { status } = await sendJson(world.nextGateway().url + inQuery, {})
  report.judge({ label: 'session in the query', isRight: status === 401, expected: '401', got: String(status) })
  const real = await sendJson(world.nextGateway().url + path, { headers: { cookie } })
  report.judge({
    label: 'session as it was given',
    isRight: real.status === 200,
    expected: '200',
    got: `${real.status} ${real.text}`,
  })
}

function named(name: string, text: string): Record<string, string> {
  return { cookie: `${name}=${encodeURIComponent(text)}` }
}

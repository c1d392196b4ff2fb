import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { linkIn } from '../../../server/test/setup/mail-server.ts'
import type { World } from './world.ts'

export interface TestPerson {
  readonly name: string
  readonly email: string
  readonly password: string
}

let people = 0

/** Creates a person with a password and a confirmed address over HTTP. */
export async function createPerson(world: World): Promise<TestPerson> {
  const person = newPerson()
  const post = (path: string, body: unknown) =>
    fetch(`${world.origin}/api/auth${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: world.origin },
      body: JSON.stringify(body),
    })
  await post('/sign-up/email', person)
  const link = linkIn(await world.mail.nextTo(person.email))
  await fetch(`${world.origin}/api/auth/verify-email${link.search}`, { redirect: 'manual' })
  return person
}

/** Returns a person without an account. */
export function newPerson(): TestPerson {
  people += 1
  return {
    name: `Ada Lovelace ${people}`,
    email: `ada${people}.${process.pid}@example.com`,
    password: 'correct horse battery',
  }
}

export async function signIn(page: Page, { email, password }: Pick<TestPerson, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Returns the code that an authenticator app shows for a key (RFC 6238). */
export function totpOf(key: string, nowMs: number): string {
  const bits = [...key].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from((bits.match(/.{8}/g) ?? []).map((octet) => Number.parseInt(octet, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)))
  const digest = createHmac('sha1', bytes).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

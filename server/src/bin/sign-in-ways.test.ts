import { expect, it } from 'vitest'
import { parseConfig } from '#config/parse-config.ts'
import { signInWaysOf } from './sign-in-ways.ts'

const { auth, http, mail } = parseConfig({
  env: { WEIR_SECRET: 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe', WEIR_POSTGRES_URL: 'postgres://localhost/weir' },
})

it('has passkeys only where the public address is known', () => {
  const asked = { auth: { ...auth, passkeys: true }, http, mail }
  expect(signInWaysOf(asked).passkeys).toBe(false)
  expect(signInWaysOf({ ...asked, http: { ...http, publicUrl: 'https://weir.example' } }).passkeys).toBe(true)
})

it('has addresses proven where mail is sent', () => {
  expect(signInWaysOf({ auth, http, mail }).mail).toBe(false)
  expect(signInWaysOf({ auth, http, mail: { ...mail, url: 'smtp://mail.example:587' } }).mail).toBe(true)
})

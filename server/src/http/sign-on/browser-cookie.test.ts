import { expect, it } from 'vitest'
import { browserCookie, browserOf } from './browser-cookie.ts'

const secret = 'a'.repeat(43)

it('goes along with the POST of a SAML provider, and else only with navigations', () => {
  expect(browserCookie(secret, 'oidc')).toMatch(/^weir_sign_on=a{43}; .*HttpOnly; Secure; SameSite=Lax$/)
  expect(browserCookie(secret, 'saml')).toMatch(/^weir_sign_on_post=a{43}; .*HttpOnly; Secure; SameSite=None$/)
})

it.each([
  [`weir_sign_on=${secret}`, secret],
  [`other=1; weir_sign_on_post=${secret}; more=2`, secret],
  [`xweir_sign_on=${secret}`, null],
  [`weir_sign_on=${secret}a`, null],
  ['weir_sign_on=short', null],
  [undefined, null],
])('reads %s', (cookie, expected) => {
  expect(browserOf({ headers: { cookie } })).toBe(expected)
})

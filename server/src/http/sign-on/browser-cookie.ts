import type { FastifyRequest } from 'fastify'
import type { ConnectionKind } from '#domain/sign-on/connection.ts'

const cookieForm = /(?:^|;\s*)weir_sign_on(?:_post)?=([\w-]{43})(?:;|$)/

/** The secret of a browser that has begun a sign-on, or null. */
export function browserOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieForm.exec(headers.cookie ?? '')?.[1] ?? null
}

/**
 * An OpenID Connect provider leads back by navigation, with which `Lax` cookies are sent. A SAML provider's page posts
 * the answer, and only a cookie with `None` comes with a cross-site POST. The cookie is no session: it holds 256 random
 * bits that tell that this browser began the sign-on, and is of no use without a signed answer to the same attempt.
 */
export function browserCookie(browser: string, kind: ConnectionKind): string {
  const terms = 'Path=/api/sign-on; Max-Age=600; HttpOnly; Secure'
  return kind === 'saml'
    ? `weir_sign_on_post=${browser}; ${terms}; SameSite=None`
    : `weir_sign_on=${browser}; ${terms}; SameSite=Lax`
}

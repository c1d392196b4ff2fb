import type { BetterAuthOptions } from 'better-auth'
import { newUuid } from '#lib/uuid.ts'

/** The header that tells the library the client's address. A value sent by the client is dropped. */
export const clientIpHeader = 'x-weir-client-ip'

/** Options that must not depend on the environment: the library would relax some of them by NODE_ENV. */
export function strictness(cookieName: string): NonNullable<BetterAuthOptions['advanced']> {
  return {
    database: { generateId: () => newUuid(Date.now()), validateSchema: false },
    disableCSRFCheck: false,
    disableOriginCheck: false,
    ipAddress: { ipAddressHeaders: [clientIpHeader] },
    cookiePrefix: 'weir',
    cookies: { session_token: { name: cookieName } },
    // The cookie has our own prefix instead of `__Secure-`. Browsers use the attribute.
    useSecureCookies: false,
    defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: true, path: '/' },
  }
}

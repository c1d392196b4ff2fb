import type { BetterAuthOptions } from 'better-auth'
import { newUuid } from '#lib/uuid.ts'

/** The header in which we tell the library who is calling; whatever a request brings under this name is dropped. */
export const clientIpHeader = 'x-weir-client-ip'

/** What must not depend on where the process runs: the library would relax some of it by NODE_ENV. */
export function strictness(cookieName: string): NonNullable<BetterAuthOptions['advanced']> {
  return {
    database: { generateId: () => newUuid(Date.now()), validateSchema: false },
    disableCSRFCheck: false,
    disableOriginCheck: false,
    ipAddress: { ipAddressHeaders: [clientIpHeader] },
    cookiePrefix: 'weir',
    cookies: { session_token: { name: cookieName } },
    // Our own prefix instead of `__Secure-`; the attribute is what browsers go by.
    useSecureCookies: false,
    defaultCookieAttributes: { httpOnly: true, sameSite: 'lax', secure: true, path: '/' },
  }
}

import type { BetterAuthPlugin } from 'better-auth'
import { createAuthMiddleware } from 'better-auth/api'
import type { Pool } from 'pg'
import { isJsonObject, stringAt } from '#lib/json.ts'

/**
 * Asks operators for their second factor on trusted devices too: a session that begins without one can't operate. The
 * library never sees the cookie of the device, so it asks for the code.
 */
export function operatorDevices(pool: Pool) {
  return {
    id: 'operator-devices',
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === '/sign-in/email',
          handler: createAuthMiddleware(async ({ body, headers, context }) => {
            const email = isJsonObject(body) ? stringAt(body, 'email') : undefined
            const cookie = headers?.get('cookie')
            if (email === undefined || cookie == null || !(await isOperator(pool, email))) return undefined
            const { name } = context.createAuthCookie('trust_device')
            return { context: { headers: new Headers({ cookie: withoutCookie(cookie, name) }) } }
          }),
        },
      ],
    },
  } as const satisfies BetterAuthPlugin
}

async function isOperator(pool: Pool, email: string): Promise<boolean> {
  const text = 'SELECT FROM operators o JOIN users u ON u.id = o.user_id WHERE lower(u.email) = lower($1)'
  const { rowCount } = await pool.query({ name: 'is-operator', text, values: [email.trim()] })
  return rowCount === 1
}

function withoutCookie(header: string, name: string): string {
  const cookies = header.split(';').map((cookie) => cookie.trim())
  return cookies.filter((cookie) => !cookie.startsWith(`${name}=`)).join('; ')
}

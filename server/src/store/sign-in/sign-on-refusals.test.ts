import { expect, it } from 'vitest'
import { replaceSignOnRefusal } from './sign-on-refusals.ts'

const refusal = (status: number, code: string): Response => Response.json({ code }, { status })

it.each([
  ['GET', 403, 'SIGN_ON_REQUIRED', 302],
  ['POST', 403, 'SIGN_ON_REQUIRED', 403],
  ['GET', 400, 'SIGN_ON_REQUIRED', 400],
  ['GET', 403, 'OTHER', 403],
])('answers %s with %i %s by %i', async (method, status, code, replaced) => {
  const response = await replaceSignOnRefusal(method, refusal(status, code))
  expect(response.status).toBe(replaced)
  const location = replaced === 302 ? '/console/sign-in?sign_on=required' : null
  expect(response.headers.get('location')).toBe(location)
})

import { parseJsonObject } from '#lib/json.ts'
import { signOnRequiredCode } from './person-hooks.ts'

/**
 * Leads a browser that returns from a social provider to the sign-in page if an organization requires its own sign-on.
 * Other clients get the library's response, which has the code.
 */
export async function replaceSignOnRefusal(method: string, response: Response): Promise<Response> {
  if (method !== 'GET' || response.status !== 403) return response
  if (parseJsonObject(await response.clone().text())?.['code'] !== signOnRequiredCode) return response
  return new Response(null, { status: 302, headers: { location: '/console/sign-in?sign_on=required' } })
}

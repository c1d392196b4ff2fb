import type { Config } from '#config/config-schema.ts'
import { firstRunToken } from '#control/first-run/first-run-token.ts'
import { setUp, type SetUpDeps, type SetUpInput } from '#control/first-run/set-up.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { StartError } from './start-error.ts'

export type FirstRunOutcome =
  | { readonly kind: 'over' }
  | { readonly kind: 'made'; readonly email: string }
  /** There is no account and the settings name no person. The console creates the first account with this token. */
  | { readonly kind: 'waiting'; readonly token: string }

/**
 * Creates what the `init` settings describe, in a database without an account. It does nothing in any other database.
 */
export async function runFirst(deps: SetUpDeps, config: Pick<Config, 'init' | 'secret'>): Promise<FirstRunOutcome> {
  if (!(await deps.firstRun.isDue())) return { kind: 'over' }
  const input = inputOf(config.init)
  if (input === null) return { kind: 'waiting', token: firstRunToken(config.secret) }
  await setUp(deps, input, Date.now())
  return { kind: 'made', email: input.email }
}

function inputOf(init: Config['init']): SetUpInput | null {
  const { userEmail: email, userPassword: password, providerVendor: vendor } = init
  if (email === null) return null
  if (password === null) throw new StartError('init.userEmail (WEIR_INIT_USER_EMAIL) requires init.userPassword.')
  const provider = {
    credential: init.providerKey ?? undefined,
    baseUrl: init.providerBaseUrl ?? undefined,
  }
  return {
    email,
    password,
    name: init.userName ?? '',
    organization: init.organization,
    credit: init.creditUsd === null ? null : parseUsd(init.creditUsd),
    provider: vendor === null ? null : { vendor, ...provider },
  }
}

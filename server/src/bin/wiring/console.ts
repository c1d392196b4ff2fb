import type { Pool } from 'pg'
import type { Config } from '#config/config-schema.ts'
import { consoleEndpoints } from '#http/console/console-endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Announce } from '#ports/announce.ts'
import { findDocsSite } from '../docs-site.ts'
import { signInWaysOf } from '../sign-in-ways.ts'
import { readVersion } from '../version.ts'
import { setUpDepsOf } from './set-up.ts'

/** Endpoints that the console calls before sign-in. */
export function wireConsoleEndpoints(deps: {
  config: Config
  pool: Pool
  announce: Announce
  nowMs: () => number
}): Endpoint[] {
  const { config } = deps
  return consoleEndpoints({
    ...setUpDepsOf(deps),
    secret: config.secret,
    signIn: signInWaysOf(config),
    createsOrganizations: config.limits.organizationsPerUser > 0,
    documentation: findDocsSite(config.docs) !== null,
    testModels: config.testModels.enabled,
    version: readVersion(),
  })
}

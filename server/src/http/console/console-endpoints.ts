import { Type } from 'typebox'
import { parseOptionalUsd, parseText, readField } from '#control/read-fields.ts'
import { isFirstRunToken } from '#control/first-run/first-run-token.ts'
import { setUp, type SetUpDeps, type SetUpInput } from '#control/first-run/set-up.ts'
import type { SignInWays } from '#domain/access/sign-in-ways.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, objectAt } from '#lib/json.ts'
import type { Endpoint } from '../endpoint.ts'

interface ConsoleDeps extends SetUpDeps {
  /** The master secret, from which the first-run token is derived. */
  readonly secret: string
  readonly signIn: SignInWays
  /** Whether people can create organizations. */
  readonly createsOrganizations: boolean
  /** Whether the documentation is served at `/docs/`. */
  readonly documentation: boolean
  readonly testModels: boolean
  readonly version: string
}

/** Endpoints that the console needs before sign-in. */
export function consoleEndpoints(deps: ConsoleDeps): Endpoint[] {
  return [stateEndpoint(deps), firstRunEndpoint(deps)]
}

function stateEndpoint({ firstRun, signIn, testModels, version, ...served }: ConsoleDeps): Endpoint {
  // Once an account exists, the first run is permanently over, so the table is not read again.
  let isOver = false
  return {
    name: 'getConsoleState',
    method: 'GET',
    paths: ['/api/console/state'],
    tag: 'Console',
    summary: 'Get console state',
    access: 'console.state',
    reply: {
      status: 200,
      description:
        'The available sign-in methods, whether test models are enabled, and whether the first account must be created.',
      schema: stateSchema,
    },
    errors: ['storeUnavailable'],
    handle: async () => {
      isOver ||= !(await firstRun.isDue())
      const { secondFactor, passkeys, providers, mail } = signIn
      return {
        body: {
          first_run: !isOver,
          sign_in: { password: true, second_factor: secondFactor, passkeys, providers, confirms_address: mail },
          creates_organizations: served.createsOrganizations,
          documentation: served.documentation,
          test_models: testModels,
          version,
        },
      }
    },
  }
}

function firstRunEndpoint(deps: ConsoleDeps): Endpoint {
  return {
    name: 'makeFirstAccount',
    method: 'POST',
    paths: ['/api/console/first-run'],
    tag: 'Console',
    summary: 'Create the first account',
    description: 'Requires the token that `weir migrate` printed.',
    access: 'console.firstRun',
    body: firstRunSchema,
    reply: {
      status: 201,
      description: 'The new account. Sign in with its email address and password.',
      schema: madeSchema,
    },
    errors: ['missingRequiredField', 'forbidden', 'conflict', 'storeUnavailable'],
    handle: async ({ body, nowMs }) => {
      if (!isFirstRunToken(textAt(body, 'token'), deps.secret)) {
        throw new GatewayError('forbidden', {
          message: 'Invalid setup token. `weir migrate` prints the token while no account exists.',
        })
      }
      const made = await setUp(deps, parseSetUp(body), nowMs)
      return { status: 201, body: { user_id: made.userId, organization_id: made.organizationId } }
    },
  }
}

function parseSetUp(body: JsonObject): SetUpInput {
  const provider = objectAt(body, 'provider')
  const organization = optionalTextAt(body, 'organization')
  return {
    email: textAt(body, 'email'),
    password: textAt(body, 'password'),
    name: optionalTextAt(body, 'name') ?? '',
    organization,
    credit: readField(body, { credit_usd: parseOptionalUsd }) ?? null,
    provider:
      body['provider'] === undefined || body['provider'] === null
        ? null
        : {
            vendor: textAt(provider, 'vendor'),
            credential: optionalTextAt(provider, 'key') ?? undefined,
            baseUrl: optionalTextAt(provider, 'base_url') ?? undefined,
          },
  }
}

function textAt(body: JsonObject, name: string): string {
  const text = optionalTextAt(body, name)
  if (text === null) throw new GatewayError('missingRequiredField', { message: `${name} is required.` })
  return text
}

function optionalTextAt(body: JsonObject, name: string): string | null {
  const value = body[name]
  return value === undefined || value === null ? null : parseText(value, name)
}

const stateSchema = Type.Object({
  first_run: Type.Boolean({ description: 'Whether no account exists yet.' }),
  sign_in: Type.Object({
    password: Type.Boolean(),
    second_factor: Type.Boolean({ description: 'Whether users can set up codes from an authenticator app.' }),
    passkeys: Type.Boolean(),
    providers: Type.Array(Type.String(), { description: 'OAuth sign-in providers: `google`, `github`.' }),
    confirms_address: Type.Boolean({
      description: 'Whether users must confirm their email address before the first sign-in.',
    }),
  }),
  creates_organizations: Type.Boolean({ description: 'Whether users can create organizations.' }),
  documentation: Type.Boolean({ description: 'Whether the gateway serves the documentation at `/docs/`.' }),
  test_models: Type.Boolean({ description: 'Whether clients can call `test/*` models.' }),
  version: Type.String(),
})

const firstRunSchema = Type.Object({
  token: Type.String({ description: 'Token printed by `weir migrate`.' }),
  email: Type.String(),
  password: Type.String({ description: 'Password, 10 to 128 characters.' }),
  name: Type.Optional(Type.String()),
  organization: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Name of the first organization. The new user becomes its admin.',
    }),
  ),
  credit_usd: Type.Optional(
    Type.Union([Type.Number(), Type.Null()], {
      description: 'Starting credit in USD, granted to the organization, or to the user if there is no organization.',
    }),
  ),
  provider: Type.Optional(
    Type.Union([
      Type.Object({
        vendor: Type.String({ description: 'Provider slug, such as `openai`.' }),
        key: Type.Optional(Type.String()),
        base_url: Type.Optional(
          Type.String({ description: 'Base URL of the provider. Set it for self-hosted model servers.' }),
        ),
      }),
      Type.Null(),
    ]),
  ),
})

const madeSchema = Type.Object({
  user_id: Type.String(),
  organization_id: Type.Union([Type.String(), Type.Null()]),
})

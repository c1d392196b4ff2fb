import { Value } from 'typebox/value'
import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#lib/json.ts'
import { parseSender } from '#lib/parse-sender.ts'
import { postgresServers } from '#lib/postgres-servers.ts'
import { sentinelServers } from '#lib/redis-servers.ts'
import { commaList } from './comma-list.ts'
import { type Config, configSchema } from './config-schema.ts'
import { ConfigError } from './config-error.ts'
import { isNetwork } from './is-network.ts'
import { isServerAddress } from './is-server-address.ts'
import { judgeSecret } from './judge-secret.ts'
import { judgeTogether } from './judge-together.ts'
import { otelValueOf } from './otel-variables.ts'
import { readYaml } from './read-yaml.ts'
import { unknownVariables } from './unknown-variables.ts'
import { listSettings, type Setting, variableOf } from './settings.ts'

export interface ConfigSources {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly fileText?: string | undefined
}

function judgeNetworks(value: JsonValue): string | undefined {
  const wrong = Array.isArray(value) ? value.find((entry) => !isNetwork(String(entry))) : undefined
  return wrong === undefined
    ? undefined
    : `has ${JSON.stringify(wrong)}, which is neither an IP address nor a CIDR range`
}

// `name: value`, in characters that are valid in a request header.
const headerForm = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+:[ \t]*[\x20-\x7e]+$/

function judgeHeaders(value: JsonValue): string | undefined {
  const isWrong = Array.isArray(value) && value.some((entry) => !headerForm.test(String(entry)))
  return isWrong ? 'has an entry that is not `name: value`' : undefined
}

const hostForm = /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

function judgeHosts(value: JsonValue): string | undefined {
  const isWrong = Array.isArray(value) && value.some((entry) => !hostForm.test(String(entry)))
  return isWrong ? 'has an entry that is not a host, with or without a port' : undefined
}

function judgeAttributes(value: JsonValue): string | undefined {
  const isWrong = Array.isArray(value) && value.some((entry) => !/^[^=\s]+=./.test(String(entry)))
  return isWrong ? 'has an entry that is not `name=value`' : undefined
}

function judgeServers(value: JsonValue): string | undefined {
  const isWrong = Array.isArray(value) && value.some((entry) => !isServerAddress(String(entry)))
  return isWrong ? 'has an entry that is not a server address' : undefined
}

function judgeUrl(value: JsonValue): string | undefined {
  if (value === null) return undefined
  const url = URL.parse(String(value))
  if (url === null) return 'is not a URL'
  return url.username === '' && url.password === '' ? undefined : 'contains credentials; put them in a header'
}

function judgePostgresUrl(value: JsonValue): string | undefined {
  return postgresServers(String(value)) === null
    ? 'must list the servers that accept writes, such as `postgres://user@one,two/weir?target_session_attrs=read-write`'
    : undefined
}

function judgeReplicaUrl(value: JsonValue): string | undefined {
  if (value === null) return undefined
  const servers = postgresServers(String(value))
  return servers === null || servers.onlyPrimary
    ? 'must be the URL of a single standby, such as `postgres://user@standby/weir`'
    : undefined
}

function judgeRedisUrl(value: JsonValue): string | undefined {
  const isWrong = String(value).startsWith('redis+') && sentinelServers(String(value)) === null
  return isWrong ? 'must list sentinels and the name of their set, such as `redis+sentinel://one,two/weir`' : undefined
}

function judgeStripeKey(value: JsonValue): string | undefined {
  if (value === null || /^[rs]k_(?:test|live)_\w+$/.test(String(value))) return undefined
  return 'must be a Stripe secret key, which starts with `sk_live_` or `sk_test_`'
}

function judgeRates(value: JsonValue): string | undefined {
  const isWrong = Array.isArray(value) && value.some((entry) => !/^[a-z]{3}=\d{1,9}(?:\.\d{1,8})?$/.test(String(entry)))
  return isWrong ? 'has an entry that is not a currency with a rate, such as `cny=7.25`' : undefined
}

/** Rules that a type cannot express. A message completes "key (variable) …". */
const furtherRules: Readonly<Record<string, (value: JsonValue) => string | undefined>> = {
  secret: (value) => judgeSecret(String(value)),
  'postgres.url': judgePostgresUrl,
  'postgres.replicaUrl': judgeReplicaUrl,
  'redis.url': judgeRedisUrl,
  'edge.proxies': judgeNetworks,
  'egress.allowedNetworks': judgeNetworks,
  'dns.servers': judgeServers,
  'metrics.readers': judgeNetworks,
  'tracing.url': judgeUrl,
  'tracing.headers': judgeHeaders,
  'tracing.propagateTo': judgeHosts,
  'tracing.resourceAttributes': judgeAttributes,
  'events.otlpUrl': judgeUrl,
  'events.otlpHeaders': judgeHeaders,
  'events.ndjsonUrl': judgeUrl,
  'events.ndjsonHeaders': judgeHeaders,
  'payments.stripeSecretKey': judgeStripeKey,
  'payments.currencies': judgeRates,
  'mail.from': (value) =>
    value === null || parseSender(String(value)) !== null ? undefined : 'must be a single email address',
}

/**
 * The whole configuration, checked and frozen. Environment variables win over the file, the file over the `OTEL_*`
 * variables, and these over defaults; an empty variable counts as unset. All mistakes are reported together, by key and
 * variable and without the value, which may be secret.
 */
export function parseConfig(sources: ConfigSources): Config {
  const file = readFileTree(sources.fileText)
  const settings = listSettings()
  const problems = [...unknownKeys(file, settings), ...unknownVariables(sources.env, settings)]
  const tree: JsonObject = {}
  for (const setting of settings) {
    const { value, variable, problem = judgeValue(setting, value) } = readSetting(setting, sources.env, file)
    if (problem !== undefined) problems.push(`${setting.key} (${variable}) ${problem}`)
    if (value !== undefined) place(tree, setting.path, value)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  const config: unknown = tree
  // Not compiled: compiling takes longer than a command runs, and the check runs once.
  if (!Value.Check(configSchema, config)) throw new ConfigError(['the configuration does not fit its own schema'])
  const conflicts = judgeTogether(config)
  if (conflicts.length > 0) throw new ConfigError(conflicts)
  return deepFreeze(config)
}

export function readFileTree(text: string | undefined): JsonObject {
  if (text === undefined) return {}
  const value = readYaml(text)
  if (value === null || value === undefined) return {}
  if (!isJsonObject(value)) throw new ConfigError(['the configuration file must hold a mapping of keys'])
  return value
}

function unknownKeys(file: JsonObject, settings: readonly Setting[]): string[] {
  const known = new Set(settings.map(({ key }) => key))
  const sections = new Set(settings.flatMap(({ path }) => path.slice(0, -1)))
  const problems: string[] = []
  for (const [name, value] of Object.entries(file)) {
    if (known.has(name)) continue
    if (!sections.has(name)) problems.push(`${name} in the file is not a known setting (nor is ${variableOf([name])})`)
    else if (value === null) continue
    else if (!isJsonObject(value)) problems.push(`${name} in the file must be a mapping of keys`)
    else
      for (const child of Object.keys(value)) {
        const key = `${name}.${child}`
        if (!known.has(key))
          problems.push(`${key} in the file is not a known setting (nor is ${variableOf([name, child])})`)
      }
  }
  return problems
}

/** A setting's value, where it comes from, and the variable that sets it. */
export interface ReadSetting {
  readonly value: JsonValue | undefined
  readonly source: 'environment' | 'file' | 'default'
  readonly variable: string
  readonly problem?: string
}

/** An empty variable counts as unset. */
export function readSetting(
  { path, key, variable, schema }: Setting,
  env: Readonly<Record<string, string | undefined>>,
  file: JsonObject,
): ReadSetting {
  const text = env[variable] ?? ''
  if (text !== '') return { value: valueFromText(schema, text), source: 'environment', variable }
  const [name = '', child] = path
  const written = child === undefined ? file[name] : objectAt(file, name)[child]
  if (written !== undefined) return { value: written, source: 'file', variable }
  const standard = otelValueOf(key, env)
  const fallback = schema['default']
  if (standard !== undefined) return { value: fallback, ...standard, source: 'environment' }
  return { value: fallback, source: 'default', variable }
}

/** A string that does not match the format of its type stays a string, and validation rejects it. */
function valueFromText(schema: JsonObject, text: string): JsonValue {
  const { anyOf } = schema
  const number = Array.isArray(anyOf) ? anyOf.filter(isJsonObject).find(({ type }) => type === 'integer') : undefined
  if (number !== undefined) return text === 'null' ? null : valueFromText(number, text)
  switch (schema['type']) {
    case 'integer':
      return /^-?\d{1,15}$/.test(text) ? Number(text) : text
    case 'number':
      return /^-?\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : text
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'array':
      return commaList(text)
    default:
      return text
  }
}

function judgeValue(setting: Setting, value: JsonValue | undefined): string | undefined {
  if (value === undefined) return `is required: ${setting.expects}`
  if (!Value.Check(setting.schema, value)) return `must be ${setting.expects}`
  return furtherRules[setting.key]?.(value)
}

function place(tree: JsonObject, path: readonly string[], value: JsonValue): void {
  const [name = '', ...rest] = path
  if (rest.length === 0) {
    tree[name] = value
    return
  }
  const section = objectAt(tree, name)
  place(section, rest, value)
  tree[name] = section
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const child of Object.values(value)) deepFreeze(child)
    Object.freeze(value)
  }
  return value
}

import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { type FallbackMode, fallbackModes, type OwnKeyWay, ownKeyProtocols } from '#domain/routing/own-keys.ts'
import { resolveModel } from '#domain/routing/resolve-model.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { ModelMapping, OwnKeyTerms } from '#ports/own-keys.ts'
import type { OwnKeyProvider } from './own-key-deps.ts'
import { parseServiceAccount } from './parse-service-account.ts'
import { foreignScope } from './foreign-scope.ts'
import { parseFlag, parseText } from '../read-fields.ts'

/** The fields of an own key in a request. Missing fields are undefined. */
interface OwnKeyWish extends Partial<OwnKeyTerms> {
  /** Our ids of models that are already mapped. */
  readonly toggles: ReadonlyMap<string, boolean>
}

const nameLengthMax = 200
const mappingsMax = 1_000
const scopesMax = 1_000

export function parseOwnKey(body: JsonObject, catalogue: Catalogue, nowMs: number): OwnKeyWish {
  const { name, baseUrl, protocol, fallbackMode, modelMappings, scopedApiKeyIds, enabled, modelToggles } = body
  return {
    ...(name === undefined ? {} : { name: parseName(name) }),
    ...(baseUrl === undefined ? {} : { baseUrl: parseText(baseUrl, 'baseUrl').replace(/\/+$/, '') }),
    ...(protocol === undefined ? {} : { way: parseProtocol(protocol) }),
    ...(fallbackMode === undefined ? {} : { fallbackMode: parseFallbackMode(fallbackMode) }),
    ...(modelMappings === undefined ? {} : { mappings: parseMappings(modelMappings, catalogue, nowMs) }),
    ...(scopedApiKeyIds === undefined ? {} : { scopedKeyIds: parseScopes(scopedApiKeyIds) }),
    ...(enabled === undefined ? {} : { enabled: parseFlag(enabled, 'enabled') }),
    toggles: parseToggles(modelToggles),
  }
}

/** A provider of the gateway, by its slug; null if the field is missing. */
export function parseProvider(
  value: JsonValue | undefined,
  providers: ReadonlyMap<string, OwnKeyProvider>,
): OwnKeyProvider | null {
  if (value === undefined || value === null) return null
  const found = typeof value === 'string' ? providers.get(value) : undefined
  if (found !== undefined) return found
  throw malformed(`provider must be one of ${[...providers.keys()].join(', ')}.`)
}

/** The provider's key: one token of printable characters, because it is sent in a header; or a service account. */
export function parseApiKey(value: JsonValue | undefined, provider: OwnKeyProvider | null): string {
  if (value === undefined)
    throw new GatewayError('missingRequiredField', { message: 'The field `apiKey` is required.' })
  if (provider?.takesServiceAccounts === true && typeof value === 'string' && value.trim().startsWith('{')) {
    return parseServiceAccount(value)
  }
  if (typeof value !== 'string' || !/^[\x21-\x7e]{1,4096}$/.test(value)) {
    throw malformed('apiKey must be the key exactly as your provider shows it: printable characters, no spaces.')
  }
  return value
}

function parseName(value: JsonValue): string {
  const name = parseText(value, 'name')
  if (name.trim() === '' || name.length > nameLengthMax || /\p{Cc}/u.test(name) || !name.isWellFormed()) {
    throw malformed(`name must be 1 to ${nameLengthMax} characters, without control characters.`)
  }
  return name
}

function parseProtocol(value: JsonValue): OwnKeyWay {
  const found = ownKeyProtocols.find((each) => each === value)
  if (found === undefined) throw malformed(`protocol must be ${ownKeyProtocols.join(' or ')}.`)
  return { kind: 'protocol', protocol: found }
}

function parseFallbackMode(value: JsonValue): FallbackMode {
  const found = fallbackModes.find((each) => each === value)
  if (found === undefined) throw malformed(`fallbackMode must be ${fallbackModes.join(' or ')}.`)
  return found
}

function parseMappings(value: JsonValue, catalogue: Catalogue, nowMs: number): ModelMapping[] {
  if (!Array.isArray(value) || value.length > mappingsMax || !value.every(isJsonObject)) {
    throw malformed(`modelMappings must be an array of at most ${mappingsMax} objects with model and upstreamModel.`)
  }
  const mappings = new Map<string, ModelMapping>()
  for (const entry of value) {
    const mapping = parseMapping(entry, catalogue, nowMs)
    if (mappings.has(mapping.model)) throw malformed(`modelMappings lists ${mapping.model} twice.`)
    mappings.set(mapping.model, mapping)
  }
  return [...mappings.values()]
}

function parseMapping(entry: JsonObject, catalogue: Catalogue, nowMs: number): ModelMapping {
  const name = parseText(entry['model'], 'modelMappings[].model')
  const resolved = resolveModel(name, catalogue, { nowMs, completesBareNames: true, testModels: false })
  if (!resolved.found || resolved.model.author === 'test') {
    throw malformed(`modelMappings: model ${JSON.stringify(name.slice(0, 100))} not found.`)
  }
  const { model } = resolved
  const upstream = entry['upstreamModel'] ?? model.id.slice(model.id.indexOf('/') + 1)
  const upstreamModel = parseText(upstream, 'modelMappings[].upstreamModel')
  if (!/^[\x21-\x7e]{1,200}$/.test(upstreamModel)) {
    throw malformed(
      "modelMappings[].upstreamModel must be the provider's model name: 1 to 200 ASCII characters without spaces.",
    )
  }
  return { model: model.id, upstreamModel, enabled: parseFlag(entry['enabled'] ?? true, 'modelMappings[].enabled') }
}

/** The store checks who owns these keys. */
function parseScopes(value: JsonValue): Uuid[] {
  if (!Array.isArray(value) || value.length > scopesMax) {
    throw malformed(`scopedApiKeyIds must be an array of at most ${scopesMax} key ids; an empty array means all keys.`)
  }
  const ids = value.map((id) => (typeof id === 'string' && isUuid(id) ? id.toLowerCase() : null))
  if (ids.includes(null)) throw foreignScope()
  return [...new Set(ids.filter((id) => id !== null))]
}

function parseToggles(value: JsonValue | undefined): Map<string, boolean> {
  if (value === undefined) return new Map()
  if (!isJsonObject(value)) throw malformed('modelToggles must be an object that maps model ids to true or false.')
  return new Map(
    Object.entries(value).map(([model, on]) => [model, parseFlag(on, `modelToggles["${model.slice(0, 100)}"]`)]),
  )
}

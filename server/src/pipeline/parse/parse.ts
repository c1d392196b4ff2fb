import type { Dialect, DialectCall, Trim } from '#dialects/dialect.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { isOpenAiFamily, type Model } from '#domain/catalogue/model.ts'
import { parseAutoName } from '#domain/routing/auto/auto-name.ts'
import type { AutoTables } from '#domain/routing/auto/auto-tables.ts'
import type { Excluded } from '#domain/routing/explanation.ts'
import { defaultEditModels } from '#domain/routing/default-edit-models.ts'
import { readMaxCost } from '#domain/routing/max-cost.ts'
import { parsePreferences } from '#domain/routing/parse-preferences.ts'
import type { Preferences } from '#domain/routing/preferences.ts'
import { type Resolution, resolveModel } from '#domain/routing/resolve-model.ts'
import type { Wanted } from '#domain/routing/wanted.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject } from '#lib/json.ts'
import { notLoaded } from '../not-loaded.ts'
import type { Arrival } from '../types.ts'
import { chooseTier } from './choose-tier.ts'
import { fitContextOf } from './fit-context.ts'

interface Parsed {
  readonly call: DialectCall
  readonly wanted: Wanted
  readonly preferences: Preferences
}

export type ParseStage = (arrival: Arrival) => Parsed

export interface ParseDeps {
  readonly catalogue: () => Catalogue
  readonly autoTables: () => AutoTables
  readonly testModels: boolean
  /** The default model for editing images. */
  readonly editModel: string
}

/** Turns the body into a call on known models. No I/O: catalogue and tiers are snapshots in memory. */
export function createParse(deps: ParseDeps): ParseStage {
  const resolve = (name: string, dialect: Dialect, nowMs: number): Resolution => {
    const catalogue = deps.catalogue()
    const { testModels } = deps
    const resolution = resolveModel(name, catalogue, { nowMs, completesBareNames: dialect.name === 'chat', testModels })
    if (!resolution.found && catalogue.revision < 0) throw notLoaded('catalogue')
    return resolution
  }
  return ({ dialect, body, files, receivedAtMs, maxCost: sentMaxCost }) => {
    const call = dialect.parse(body, files)
    const maxCost = readMaxCost(sentMaxCost, body)
    const stated = parsePreferences(call.body)
    const preferences = maxCost === null ? stated : { ...stated, maxCost }
    const first = firstOf(call, dialect, receivedAtMs)
    const named = fallbackNames(call).map((name) => ({ name, resolution: resolve(name, dialect, receivedAtMs) }))
    const { models, excluded, trims } = fitting(call, dialect, first.models, named)
    const { sort, online, autoTier } = first
    const left = first.excluded.length === 0 ? excluded : [...first.excluded, ...excluded]
    return {
      call: prepared(call, trims, online),
      preferences,
      wanted: { models, excluded: left, sort, online, autoTier },
    }
  }

  /** Only image edits may omit the model. */
  function defaultFor(dialect: Dialect, nowMs: number): Wanted {
    const plain = { excluded: [], sort: null, online: false, autoTier: null }
    const chosen = resolve(deps.editModel, dialect, nowMs)
    if (chosen.found) return { ...plain, models: [chosen.model] }
    const models = defaultEditModels(deps.catalogue(), { nowMs, testModels: deps.testModels })
    if (models.length > 0) return { ...plain, models }
    throw new GatewayError('missingRequiredField', {
      message: 'The field `model` is required: this gateway has no default model for image edits.',
      inside: `media.editModel is "${deps.editModel}", and the catalogue has no model that edits images`,
    })
  }

  /** The models behind a model name: that model, or the models of a tier. */
  function firstOf(call: DialectCall, dialect: Dialect, nowMs: number): Wanted {
    if (dialect.name === 'image_edits' && call.modelName === '') return defaultFor(dialect, nowMs)
    const auto = parseAutoName(call.modelName)
    if (auto === null || dialect.family === 'media') {
      const resolution = resolve(call.modelName, dialect, nowMs)
      if (!resolution.found) throw refusal(call.modelName, resolution)
      const { model, sort, online } = resolution
      return { models: [model], excluded: [], sort, online, autoTier: null }
    }
    const request = { call, dialect, auto }
    const { tier, ...chosen } = chooseTier(request, deps.autoTables(), (id) => resolve(id, dialect, nowMs))
    return { ...chosen, sort: auto.sort, online: auto.online, autoTier: tier }
  }
}

function prepared(call: DialectCall, trims: ReadonlyMap<string, Trim>, online: boolean): DialectCall {
  const trimmed = trims.size === 0 ? call : { ...call, trims }
  return online ? withWebPlugin(trimmed) : trimmed
}

/** Rejects a call that its first model cannot serve, unless a fallback can. */
function fitting(
  call: DialectCall,
  dialect: Dialect,
  firsts: readonly Model[],
  named: readonly { name: string; resolution: Resolution }[],
): { models: Model[]; excluded: Excluded[]; trims: ReadonlyMap<string, Trim> } {
  const models: Model[] = []
  const excluded: Excluded[] = []
  let trims: Map<string, Trim> | null = null
  const fitContext = dialect.family === 'conversation' ? fitContextOf(call, dialect) : () => null
  let firstFault: GatewayError | null = null
  const consider = (model: Model): void => {
    if (models.some(({ id }) => id === model.id)) return
    const fault = faultOf(() => {
      dialect.refuseUnfit(call, model)
      if (dialect.family === 'conversation') dialect.checkFor?.(call, { isOpenAiFamily: isOpenAiFamily(model) })
      const trim = fitContext(model)
      if (trim !== null) trims = (trims ?? new Map<string, Trim>()).set(model.id, trim)
    })
    if (fault === null) models.push(model)
    else excluded.push({ model: model.id, provider: null, rule: 'unfit' })
    firstFault ??= fault
  }
  for (const model of firsts) consider(model)
  for (const { name, resolution } of named) {
    if (resolution.found) consider(resolution.model)
    else if (resolution.why === 'retired') excluded.push({ model: resolution.id, provider: null, rule: 'retired' })
    else throw refusal(name, resolution)
  }
  if (models.length === 0 && firstFault !== null) throw firstFault
  return { models, excluded, trims: trims ?? untrimmed }
}

const untrimmed: ReadonlyMap<string, Trim> = new Map()

function faultOf(judge: () => void): GatewayError | null {
  try {
    judge()
    return null
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}

const fallbacksMax = 20

function fallbackNames({ body }: DialectCall): string[] {
  const names = Array.isArray(body.models) ? body.models : []
  if (names.length > fallbacksMax) {
    throw new GatewayError('malformedRequest', { message: `\`models\` can list at most ${fallbacksMax} models.` })
  }
  return names.filter((name) => typeof name === 'string')
}

function refusal(name: string, resolution: Resolution & { found: false }): GatewayError {
  switch (resolution.why) {
    case 'malformed':
      return new GatewayError('invalidModelId', {
        message: `"${name}" is not a valid model id. Use <provider>/<model>.`,
      })
    case 'unknown':
      return new GatewayError('unknownModel', { message: `Model "${name}" not found.${hint(resolution.nearest)}` })
    case 'retired':
      return new GatewayError('modelRetired', {
        message: `Model "${name}" has been retired. GET /v1/models lists current models.`,
      })
  }
}

function hint(nearest: readonly string[]): string {
  if (nearest.length === 0) return ' GET /v1/models lists all models.'
  return ` Did you mean ${nearest.map((id) => `"${id}"`).join(', ')}? GET /v1/models lists all models.`
}

/** The call with the web plugin enabled, as `:online` after a model's name requests. The client's own settings stay. */
export function withWebPlugin(call: DialectCall): DialectCall {
  const { plugins } = call.body
  const named = Array.isArray(plugins) ? plugins : []
  if (named.some((plugin) => isJsonObject(plugin) && plugin.id === 'web')) return call
  return { ...call, body: { ...call.body, plugins: [...named, { id: 'web' }] } }
}

import { ignoredToolName } from '#domain/inference/ignored-tool.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import type { FeatureRule, FeatureTable, PricedFeatures } from './feature-table.ts'

interface AppliedFeatures {
  readonly body: JsonObject
  /** Names of the removed features. */
  readonly left: string[]
}

/**
 * Removes the features that would cost the operator more than the client is charged. With an organization's own key the
 * organization pays the provider itself, so the body passes unchanged.
 */
export function applyFeatures(
  body: JsonObject,
  table: FeatureTable,
  prices: PricedFeatures | undefined,
): AppliedFeatures {
  if (prices === undefined) return { body, left: [] }
  if (table.refusedPart !== undefined) refuseParts(body.messages, table.refusedPart)
  const left: string[] = []
  // A copy is made only if something is removed.
  let kept = body
  for (const field of Object.keys(body)) {
    const value = body[field]
    const sent = value === undefined || value === null ? value : keptOf(field, value, table, prices)
    if (sent === value) continue
    left.push(field)
    if (kept === body) kept = { ...body }
    if (sent === undefined) delete kept[field]
    else kept[field] = sent
  }
  const tools = toolsToRemove(kept, table, prices)
  if (tools.length === 0) return { body: kept, left }
  kept = kept === body ? { ...body } : kept
  left.push(...removeTools(kept, tools))
  return { body: kept, left }
}

/** Whether a rule passes a feature. Throws if the rule rejects it. */
function passes(name: string, rule: FeatureRule, prices: PricedFeatures): boolean {
  if (typeof rule === 'object') throw unpriced(`\`${name}\` ${rule.refuse}`)
  if (rule === 'pass' || rule === 'remove') return rule === 'pass'
  return prices[rule]
}

function keptOf(field: string, value: JsonValue, table: FeatureTable, prices: PricedFeatures): JsonValue | undefined {
  const listed = table.fields.get(field) ?? table.otherFields
  const rule = typeof listed === 'function' ? listed(value) : listed
  if (typeof rule === 'object' && 'instead' in rule) return rule.instead
  return passes(field, rule, prices) ? value : undefined
}

function toolsToRemove({ tools }: JsonObject, { toolTypes }: FeatureTable, prices: PricedFeatures): JsonValue[] {
  return Array.isArray(tools) ? tools.filter((tool) => !isKept(tool, toolTypes, prices)) : []
}

/** Removes these tools, and a tool choice that names one of them. Returns their names. */
function removeTools(body: JsonObject, removed: readonly JsonValue[]): string[] {
  const { tools, tool_choice: choice } = body
  const kept = Array.isArray(tools) ? tools.filter((tool) => !removed.includes(tool)) : []
  const names = removed.map(ignoredToolName)
  if (kept.length > 0) body.tools = kept
  else delete body.tools
  if (choice === undefined || (kept.length > 0 && isAmong(choice, kept))) return names
  delete body.tool_choice
  return [...names, 'tool_choice']
}

function isKept(tool: JsonValue, toolTypes: FeatureTable['toolTypes'], prices: PricedFeatures): boolean {
  if (!isJsonObject(tool)) return true
  const type = stringAt(tool, 'type') ?? ''
  const row = toolTypes.find(([pattern]) => pattern.test(type))
  return row !== undefined && passes(`tools.${type}`, row[1], prices)
}

/** A tool choice that names a tool, flat or nested, is valid only while the request has that tool. */
function isAmong(choice: JsonValue, tools: readonly JsonValue[]): boolean {
  if (!isJsonObject(choice)) return true
  const name = chosenName(choice)
  return name === undefined || tools.some((tool) => isJsonObject(tool) && chosenName(tool) === name)
}

function chosenName(object: JsonObject): string | undefined {
  return stringAt(object, 'name') ?? stringAt(objectAt(object, 'function'), 'name')
}

/** Visits the parts of all messages, including parts inside tool results and documents. */
function refuseParts(messages: JsonValue | undefined, refusedPart: NonNullable<FeatureTable['refusedPart']>): void {
  const visit = (holder: JsonObject): void => {
    const reason = refusedPart(holder)
    if (reason !== undefined) throw unpriced(reason)
    for (const content of [holder.content, objectAt(holder, 'source').content]) objectsIn(content).forEach(visit)
  }
  objectsIn(messages).forEach(visit)
}

function unpriced(message: string): GatewayError {
  return new GatewayError('unsupportedParam', { message })
}

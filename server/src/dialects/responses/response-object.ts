import type { ToolChoice } from '#domain/inference/call.ts'
import type { FinishReason } from '#domain/inference/finish-reason.ts'
import type { Charged, ReplyContext } from '#dialects/dialect.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn } from '#lib/json.ts'
import { clientTools } from './client-tools.ts'
import { readToolChoice, readTools } from './read-tools.ts'
import { responsesUsage } from './responses-usage.ts'

export interface ResponseState {
  readonly status: 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly output: JsonObject[]
  readonly charged?: Charged | null
  readonly error?: { readonly code: string; readonly message: string }
  readonly incompleteReason?: string
}

/** The response object, which repeats most of the request; clients read some of these fields. */
export function responseObject(context: ReplyContext, state: ResponseState): JsonObject {
  const body = context.requestBody
  const reasoning = objectAt(body, 'reasoning')
  const text = objectAt(body, 'text')
  const { charged, incompleteReason } = state
  const { isStored = false, isBackground = false, previousId = null } = context.storage ?? {}
  return {
    id: `resp_${idStemOf(context)}`,
    object: 'response',
    created_at: context.createdS,
    completed_at: state.status === 'completed' ? (context.nowS?.() ?? context.createdS) : null,
    status: state.status,
    background: isBackground,
    error: state.error === undefined ? null : { ...state.error },
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    max_tool_calls: null,
    model: context.model,
    output: state.output,
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    previous_response_id: previousId,
    prompt_cache_key: body.prompt_cache_key ?? null,
    reasoning: { effort: reasoning.effort ?? null, summary: reasoning.summary ?? null },
    safety_identifier: body.safety_identifier ?? null,
    service_tier: 'default',
    store: isStored,
    temperature: numberOrNull(body.temperature),
    text: {
      format: text.format ?? { type: 'text' },
      ...(text.verbosity === undefined ? {} : { verbosity: text.verbosity }),
    },
    ...toolFields(body),
    top_logprobs: 0,
    top_p: numberOrNull(body.top_p),
    frequency_penalty: numberOrNull(body.frequency_penalty),
    presence_penalty: numberOrNull(body.presence_penalty),
    truncation: typeof body.truncation === 'string' ? body.truncation : 'disabled',
    usage: charged === undefined || charged === null ? null : responsesUsage(charged),
    user: body.user ?? null,
    metadata: isJsonObject(body.metadata) ? body.metadata : {},
  }
}

/** The stem of ids: the generation id without its prefix. */
export function idStemOf(context: Pick<ReplyContext, 'id'>): string {
  return context.id.startsWith('gen-') ? context.id.slice('gen-'.length) : context.id
}

/** The status of a response that ended normally. */
export function endOf(reason: FinishReason | null): Pick<ResponseState, 'status' | 'incompleteReason' | 'error'> {
  switch (reason) {
    case 'length':
      return { status: 'incomplete', incompleteReason: 'max_output_tokens' }
    case 'content_filter':
      return { status: 'incomplete', incompleteReason: 'content_filter' }
    case 'error':
      return {
        status: 'failed',
        error: { code: 'server_error', message: 'The model ended the response with an error.' },
      }
    default:
      return { status: 'completed' }
  }
}

// Only the tools that the model got; hosted tools were dropped.
function toolFields(body: JsonObject): JsonObject {
  const tools = readTools(body)
  return {
    tool_choice: choiceJson(readToolChoice(body.tool_choice, tools)),
    tools: objectsIn(body.tools).flatMap((tool) => toldTool(tool, new Set(tools.map(({ name }) => name)))),
  }
}

/** Functions in flat form; custom tools and namespaces as the client sent them. */
function toldTool(tool: JsonObject, told: ReadonlySet<string>): JsonObject[] {
  if (tool.type === 'namespace') return [tool]
  const [known] = clientTools([tool])
  if (known === undefined || !told.has(known.flatName)) return []
  if (known.kind === 'custom') return [tool]
  const { name, description, parameters, strict } = known.definition
  return [
    {
      type: 'function',
      name,
      description: description ?? null,
      parameters: isJsonObject(parameters) ? parameters : { type: 'object', properties: {} },
      strict: typeof strict === 'boolean' ? strict : null,
    },
  ]
}

function choiceJson(choice: ToolChoice | null): JsonValue {
  if (choice === null) return 'auto'
  return choice.kind === 'tool' ? { type: 'function', name: choice.name } : choice.kind
}

function numberOrNull(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null
}

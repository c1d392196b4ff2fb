import { countAt, type JsonObject, objectAt } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { Answer, AnswerUsage } from './answer.ts'
import { instanceOf } from './instance-of.ts'
import { answerWordsMax } from './known-test-models.ts'
import { parseDirectives } from './parse-directives.ts'
import type { TestId } from './parse-test-id.ts'
import { type Prompt, readPrompt } from './read-prompt.ts'
import { type ToolCall, toolCallsFor, toolCallTo } from './tool-calls-for.ts'
import { countWords, firstWords, paragraph, repeatWords } from './words.ts'

type Reply =
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'error'; readonly status: number; readonly message: string }

/** The model's reply to this request. */
export function answerFor(id: TestId, body: JsonObject): Reply {
  const prompt = readPrompt(body)
  if (id.name === 'error') return { kind: 'error', status: id.figure, message: `This is test/error-${id.figure}.` }
  const draft = id.name === 'echo' || id.name === 'priced' ? draftEcho(body, prompt) : draftFor(id, body, prompt)
  if ('mistake' in draft) return { kind: 'error', status: 400, message: draft.mistake }
  if ('status' in draft) return { kind: 'error', status: draft.status, message: `This is #status=${draft.status}.` }
  return { kind: 'answer', answer: finished(draft, body, prompt) }
}

/** The differences from a complete response with the fixed paragraph and true counts. */
interface Draft extends Partial<Omit<Answer, 'usage'>> {
  readonly usage?: Partial<AnswerUsage> | null
}

function draftFor(id: Exclude<TestId, { name: 'error' | 'echo' | 'priced' }>, body: JsonObject, prompt: Prompt): Draft {
  switch (id.name) {
    case 'text':
      return {}
    case 'tools':
      return draftTools(body, prompt)
    case 'reasoning':
      return { reasoning: 'The client wants to see reasoning, so here are some words of it before the answer.' }
    case 'json':
      return { text: JSON.stringify(jsonFor(body)) }
    case 'long':
      return outputCapOf(body) === undefined ? { text: repeatWords(2000) } : { text: repeatWords(answerWordsMax + 1) }
    case 'slow':
      return { firstTokenAfterMs: id.figure }
    case 'drip':
      return { betweenWordsMs: id.figure }
    case 'truncated':
    case 'cut':
    case 'stall':
    case 'silent':
    case 'stream-error':
      return { ending: id.name }
    case 'no-usage':
      return { usage: null }
    case 'zero-usage':
      return { usage: { prompt: 0, completion: 0 } }
    case 'length':
      return { text: halfParagraph, finish: 'length' }
    case 'content-filter':
      return { text: halfParagraph, finish: 'content_filter' }
    case 'refusal':
      return { text: '', refusal: 'I cannot help with that, because this model refuses everything.' }
    default:
      return unreachable(id)
  }
}

const halfParagraph = firstWords(paragraph, Math.floor(countWords(paragraph) / 2))

function draftEcho(body: JsonObject, prompt: Prompt): Draft | { mistake: string } | { status: number } {
  const { text, directives, mistake } = parseDirectives(prompt.lastUserText)
  if (mistake !== undefined) return { mistake: `${mistake} is not a valid test model directive.` }
  const { status, tool, words, usage, cached, finish, ending } = directives
  if (status !== undefined) return { status }
  // A client that has run the tool expects a text response; its last user message still holds the directive.
  const toolCalls =
    tool !== undefined && prompt.toolResults.length === 0 ? [toolCallTo(tool, body, prompt.messageCount)] : []
  return {
    text: toolCalls.length > 0 ? '' : words === undefined ? text : repeatWords(words),
    toolCalls,
    usage: directives.noUsage === true ? null : { ...usage, ...(cached === undefined ? {} : { cached }) },
    firstTokenAfterMs: directives.delayMs ?? 0,
    betweenWordsMs: directives.dripMs ?? 0,
    ...(finish === undefined ? {} : { finish }),
    ...(ending === undefined ? {} : { ending }),
  }
}

function draftTools(body: JsonObject, prompt: Prompt): Draft {
  if (prompt.toolResults.length > 0) return { text: `The tools answered: ${prompt.toolResults.join(' ')}` }
  const toolCalls = toolCallsFor(body, prompt.messageCount)
  return toolCalls.length > 0 ? { text: '', toolCalls } : {}
}

function jsonFor(body: JsonObject) {
  const format = objectAt(body, 'response_format')
  return format.type === 'json_schema' ? instanceOf(objectAt(objectAt(format, 'json_schema'), 'schema')) : { ok: true }
}

/** Cuts the draft to the client's cap and counts it. Reasoning uses the cap first, as with real models. */
function finished(draft: Draft, body: JsonObject, prompt: Prompt): Answer {
  const { toolCalls = [], refusal = '' } = draft
  const wordsMax = Math.min(outputCapOf(body) ?? answerWordsMax, answerWordsMax)
  const reasoning = firstWords(draft.reasoning ?? '', wordsMax)
  const reasoningWords = countWords(reasoning)
  const whole = draft.text ?? paragraph
  const text = firstWords(whole, wordsMax - reasoningWords)
  const isCapped = text !== whole || reasoning !== (draft.reasoning ?? '')
  const completion = reasoningWords + countWords(text) + countWords(refusal) + toolWords(toolCalls)
  return {
    reasoning,
    text,
    refusal,
    toolCalls,
    finish: draft.finish ?? (isCapped ? 'length' : toolCalls.length > 0 ? 'tool_calls' : 'stop'),
    ending: draft.ending ?? 'whole',
    usage:
      draft.usage === null
        ? null
        : { prompt: prompt.promptTokens, completion, cached: 0, reasoning: reasoningWords, ...draft.usage },
    firstTokenAfterMs: draft.firstTokenAfterMs ?? 0,
    betweenWordsMs: draft.betweenWordsMs ?? 0,
  }
}

function toolWords(calls: readonly ToolCall[]): number {
  return calls.reduce((sum, call) => sum + countWords(`${call.name} ${call.arguments}`), 0)
}

function outputCapOf(body: JsonObject): number | undefined {
  return (countAt(body, 'max_completion_tokens') ?? countAt(body, 'max_tokens')) || undefined
}

import type { CanonicalCall, Continuation } from '#domain/inference/call.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { keepAliveComment } from '../chat/frames.ts'
import { chatToCanonical } from '../chat/to-canonical.ts'
import type { ConversationDialect, DialectCall } from '../dialect.ts'
import { refuseUnfitFor } from '../refuse-unfit.ts'
import { changeContent, changeText } from '../texts/change-content.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { withoutOpenAiFields } from '../without-openai-fields.ts'
import { CompletionsWriter } from './completions-writer.ts'
import { completionsPrompt, logprobsOf, parseCompletions, promptsOf, suffixOf } from './parse-completions.ts'
import { renderCompletion } from './render-completion.ts'

/** OpenAI's older API: continues a text, or fills the gap between two. */
export const completionsDialect: ConversationDialect = {
  family: 'conversation',
  name: 'completions',
  parse: (body) => parseCompletions(body),
  prompt: completionsPrompt,
  refuseUnfit: refuseUnfitFor(completionsPrompt),
  ...textAccess((body, change) =>
    changeMember(
      changeMember(body, 'prompt', (prompt) => changeContent(prompt, change)),
      'suffix',
      (suffix) => changeText(suffix, change),
    ),
  ),
  toCanonical,
  refuseTranslated,
  withoutOpenAiFields,
  renderDocument: renderCompletion,
  createWriter: (context) => new CompletionsWriter(context),
  keepAlive: { bytes: keepAliveComment },
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

/** The fields that mean the same in chat. */
const chatFields = [
  'model',
  'temperature',
  'top_p',
  'top_k',
  'min_p',
  'n',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'repetition_penalty',
  'logit_bias',
  'user',
  'reasoning',
  'reasoning_effort',
] as const

/** For upstreams without this API, the prompt is a conversation of one message. */
function toCanonical(call: DialectCall): CanonicalCall {
  const continuation = continuationOf(call.body)
  const known: JsonObject = Object.fromEntries(chatFields.map((name) => [name, call.body[name]]))
  const body = { ...known, messages: [{ role: 'user', content: continuation.prompts[0] ?? '' }] }
  const { extras, ...canonical } = chatToCanonical({ ...call, body })
  const said = Object.entries(extras).filter(([, value]) => value !== undefined)
  return { ...canonical, extras: Object.fromEntries(said), continuation }
}

function continuationOf(body: JsonObject): Continuation {
  return { prompts: promptsOf(body.prompt), suffix: suffixOf(body), logprobs: logprobsOf(body) }
}

function refuseTranslated({ body }: DialectCall): void {
  const { prompts, suffix, logprobs } = continuationOf(body)
  if (suffix !== null) throw unsupported('suffix')
  if (logprobs !== null) throw unsupported('logprobs')
  if (prompts.length > 1) throw unsupported('prompt', ' with several strings. Send one request for each')
}

function unsupported(field: string, detail = ''): GatewayError {
  return new GatewayError('unsupportedParam', {
    message: `The providers of this model have no completions API, so they don't support \`${field}\`${detail}.`,
  })
}

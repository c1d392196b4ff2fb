import { GatewayError } from '#errors/gateway-error.ts'
import { ChatWriter } from '../chat/chat-writer.ts'
import { renderDocument } from '../chat/render-document.ts'
import type { ConversationDialect } from '../dialect.ts'
import { completionsDialect } from './completions-dialect.ts'
import { parseCompletions } from './parse-completions.ts'

/** What editors wait for at most, where they set no limit. */
const usualTokensMax = 256

/** Mistral's API for gaps: asks as completions do, and answers as chat does. */
export const fimDialect: ConversationDialect = {
  ...completionsDialect,
  name: 'fim',
  parse: (body) => {
    for (const field of ['echo', 'logprobs']) {
      if (body[field] === undefined || body[field] === null) continue
      throw new GatewayError('unsupportedParam', {
        message: `\`${field}\` is not supported here: use /v1/completions.`,
      })
    }
    return parseCompletions(body, usualTokensMax)
  },
  renderDocument,
  createWriter: (context) => new ChatWriter(context),
}

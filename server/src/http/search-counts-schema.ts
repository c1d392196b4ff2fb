import { Type } from 'typebox'

/** What an answer's usage has where its upstream searched. */
export const searchCountsSchema = {
  citation_tokens: Type.Optional(Type.Integer({ description: 'Tokens of quoted sources, beside those of the prompt' })),
  server_tool_use: Type.Optional(
    Type.Object({
      web_search_requests: Type.Integer({ description: 'Searches of the web, as the provider bills them' }),
    }),
  ),
} as const

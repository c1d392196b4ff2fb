import { Type } from 'typebox'

/** Additional usage fields if the upstream searched. */
export const searchCountsSchema = {
  citation_tokens: Type.Optional(
    Type.Integer({ description: 'Citation tokens, counted in addition to prompt tokens.' }),
  ),
  server_tool_use: Type.Optional(
    Type.Object({
      web_search_requests: Type.Integer({ description: 'Number of web searches, as billed by the provider.' }),
    }),
  ),
} as const

const messages = [{ role: 'user', content: 'Hello there' }]

/**
 * Request bodies that work as they are against a gateway with test models. Other bodies are generated from their
 * schemas.
 */
export const exampleBodies: Readonly<Record<string, object>> = {
  createChatCompletion: { model: 'test/echo', messages },
  createResponse: { model: 'test/echo', input: 'Hello there' },
  createMessage: { model: 'test/echo', max_tokens: 100, messages },
  countMessageTokens: { model: 'test/echo', messages },
  createCompletion: { model: 'test/echo', prompt: 'Once upon a time', max_tokens: 8 },
  createFimCompletion: { model: 'test/echo', prompt: 'Once upon', max_tokens: 8 },
  createModeration: { model: 'test/moderation', input: 'A weir in the fog' },
  createRerank: { model: 'test/rerank', query: 'a mill', documents: ['fog', 'a mill'] },
  createEmbeddings: { model: 'test/embedding', input: ['Hello there', 'my friend'] },
  createImage: { model: 'test/image', prompt: 'A fox in the snow' },
  createSpeech: { model: 'test/speech', input: 'Hello there', voice: 'alloy' },
  submitVideo: { model: 'test/video', prompt: 'A weir in the morning fog' },
  createKey: { name: 'laptop', limit: 5 },
}

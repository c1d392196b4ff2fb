const messages = [{ role: 'user', content: 'Hello there' }]

/** Bodies that work as they stand against a gateway with test models. Others are made from their schemas. */
export const exampleBodies: Readonly<Record<string, object>> = {
  createChatCompletion: { model: 'test/echo', messages },
  createResponse: { model: 'test/echo', input: 'Hello there' },
  createMessage: { model: 'test/echo', max_tokens: 100, messages },
  countMessageTokens: { model: 'test/echo', messages },
  createEmbeddings: { model: 'test/embedding', input: ['Hello there', 'my friend'] },
  createImage: { model: 'test/image', prompt: 'A fox in the snow' },
  createSpeech: { model: 'test/speech', input: 'Hello there', voice: 'alloy' },
  submitVideo: { model: 'test/video', prompt: 'A weir in the morning fog' },
  createKey: { name: 'laptop', limit: 5 },
}

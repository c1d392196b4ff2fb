/** What a client can do about an item that the gateway does not have. */
export const sendItemsAdvice =
  'Send the item itself. In the AI SDK, set `providerOptions: { openai: { store: false } }`.'

/** What a client can do about an item that the gateway does not have. */
export const sendItemsAdvice =
  'Send the item itself; the AI SDK does with `providerOptions: { openai: { store: false } }`.'

/** The rule of a field for a number of API keys. An empty field is allowed. */
export const keysRule = {
  pattern: { value: /^(?:\d{1,2}|100)?$/, message: 'Enter a number from 0 to 100.' },
}

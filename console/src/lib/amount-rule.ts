/** The validation rule for an amount in USD. */
export function amountRule(decimals: 2 | 9) {
  const message = 'Enter an amount, such as 25 or 12.50.'
  return { required: message, pattern: { value: new RegExp(`^\\d{1,9}(?:\\.\\d{1,${decimals}})?$`), message } }
}

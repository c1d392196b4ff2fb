/** A function that returns its last result while its inputs stay identical. */
export function rememberLast<Inputs extends readonly unknown[], Result>(
  make: (...inputs: Inputs) => Result,
): (...inputs: Inputs) => Result {
  let last: { readonly inputs: Inputs; readonly result: Result } | null = null
  return (...inputs) => {
    const isSame = last !== null && last.inputs.every((input, position) => input === inputs[position])
    if (last === null || !isSame) last = { inputs, result: make(...inputs) }
    return last.result
  }
}

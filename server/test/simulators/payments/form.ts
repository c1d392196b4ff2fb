/** A form value in Stripe's encoding: `a[b][0]=c` becomes `{ a: { b: ['c'] } }`. */
type FormValue = string | FormValue[] | { [name: string]: FormValue }
export type Form = { [name: string]: FormValue }

export function readForm(text: string): Form {
  const form: Form = {}
  for (const [path, value] of new URLSearchParams(text)) {
    const names = path.split(/[[\]]+/).filter((name) => name !== '')
    place(form, names, value)
  }
  return form
}

function place(into: Form, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    // `types[]=a&types[]=b`
    const known = into[name]
    into[name] = known === undefined ? value : typeof known === 'string' ? [known, value] : known
    return
  }
  const child = into[name]
  const next: Form = typeof child === 'object' && !Array.isArray(child) ? child : {}
  into[name] = next
  place(next, rest, value)
}

export function textIn(form: FormValue | undefined, ...path: readonly string[]): string | undefined {
  let at: FormValue | undefined = form
  for (const name of path) at = typeof at === 'object' && !Array.isArray(at) ? at[name] : undefined
  return typeof at === 'string' ? at : undefined
}

export function listIn(form: FormValue | undefined, name: string): string[] {
  const value = typeof form === 'object' && !Array.isArray(form) ? form[name] : undefined
  if (value === undefined) return []
  if (typeof value === 'string') return [value]
  return Object.values(value).filter((entry) => typeof entry === 'string')
}

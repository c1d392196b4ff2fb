const forms = [/^gen-[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/, /^req_[0-9a-f]{32}$/]

/** A request ID as responses (`gen-…`) and errors (`req_…`) show it, or undefined. */
export function parseRequestId(text: string): string | undefined {
  const id = text.trim().toLowerCase()
  return forms.some((form) => form.test(id)) ? id : undefined
}

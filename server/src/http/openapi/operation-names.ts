/** The id of an operation. Aliases need their own ids. */
export function operationId({ name, paths }: { name: string; paths: readonly string[] }, path: string): string {
  const position = paths.indexOf(path)
  return position === 0 ? name : `${name}${position + 1}`
}

/** The prefix of an operation's types: `listKeys` has `ListKeysReply`. */
export function typeNameOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

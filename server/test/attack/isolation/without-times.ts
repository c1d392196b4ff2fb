/** Answers about usage say when they were made, and those about a request when it came in, which is in its id. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
}

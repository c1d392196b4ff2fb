/** Usage responses contain their creation time, and those about a request contain its time within the id. */
export function withoutTimes(text: string): string {
  return text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…')
}

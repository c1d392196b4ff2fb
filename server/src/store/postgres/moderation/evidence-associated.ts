/** What a blocked prompt is sealed for. */
export function evidenceAssociated(id: string): string {
  return `moderation_evidence ${id}`
}

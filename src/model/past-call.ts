// The arguments of a call that was made before, as text, to the object that a provider wants to see of it.

/** Models write arguments that are no JSON object; the session told them so. Servers that read what they are sent
 * back would fail on it in every later request, so that it is wrapped. */
export function pastArguments(argumentsText: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(argumentsText)
    if (isRecord(value)) return value
  } catch {
    // Wrapped below, as any other text that is no object.
  }
  return { malformed: argumentsText }
}

/** Whether a value of JSON is an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

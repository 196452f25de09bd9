// Calls on one file take turns: who takes a file waits until those before have left it.

export class Turns {
  private readonly last = new Map<string, Promise<void>>()

  /** Waits for all the names at once, in one order for everybody, so that nobody waits in a circle;
   * returns what to call when done with them. */
  async take(names: string[]): Promise<() => void> {
    let leave = (): void => {}
    const done = new Promise<void>((resolve) => (leave = resolve))
    const before = [...new Set(names)].map((name) => {
      const earlier = this.last.get(name)
      const mine = (earlier ?? Promise.resolve()).then(() => done)
      this.last.set(name, mine)
      void mine.then(() => {
        if (this.last.get(name) === mine) this.last.delete(name)
      })
      return earlier
    })
    await Promise.all(before)
    return leave
  }
}

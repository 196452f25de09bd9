// Ctrl-C and a request to end, where no line editor reads keys: the first stops what runs, in order; the
// second leaves at once.

import type { Session } from '../session/session.ts'
import { EXIT } from './exit-code.ts'

/** Returns what to call when nothing runs any more. */
export function stopOnSignals(session: Session): () => void {
  const stop = (): void => {
    if (session.interrupt()) return
    session.close('interrupted')
    process.exit(EXIT.interrupted)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
  }
}

// Which colours a stream gets: none where it is no terminal or the person wants none.

import picocolors from 'picocolors'

export type Colors = Pick<ReturnType<typeof picocolors.createColors>, 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'>

export function colorsFor(stream: { isTTY?: boolean }): Colors {
  return picocolors.createColors(stream.isTTY === true && !process.env['NO_COLOR'])
}

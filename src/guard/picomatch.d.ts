// What is used of picomatch, which brings no types.

declare module 'picomatch' {
  export default function picomatch(glob: string | string[], options?: { dot?: boolean; nonegate?: boolean }): (text: string) => boolean
}
